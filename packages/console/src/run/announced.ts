// A separate module, imported after the application has started: loading HTTP takes some milliseconds.
export { announce } from '@jig/bean-inspection/internal';
