// Loaded into a server before its own code: tells the bench, when asked, what the process has used. Plain JavaScript, to cost nothing.
process.on('message', ({ ask, collectGarbage }) => {
  if (ask !== 'usage') return;
  if (collectGarbage) globalThis.gc();
  process.send({ cpu: process.cpuUsage(), memory: process.memoryUsage() });
});
process.channel?.unref();
