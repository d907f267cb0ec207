/** Sets the variables of a worker when it is loaded, and exports nothing. */
export {};
