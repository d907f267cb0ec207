// The host has no CommonJS, so this needs a Node that can require an ES module, as all supported ones can.
const addOn = require('./dist/add-on.js');
Object.defineProperty(exports, '__esModule', { value: true });
exports.default = addOn.default;
exports.DatabasePool = addOn.DatabasePool;
exports.DatabaseSessionStore = addOn.DatabaseSessionStore;
