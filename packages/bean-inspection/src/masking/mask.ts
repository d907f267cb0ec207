export { maskMark } from '@jig/application';
