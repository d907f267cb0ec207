// A module of its own, which is loaded when the application has started: HTTP takes some milliseconds to load.
export { announce } from '@jig/bean-inspection/internal';
