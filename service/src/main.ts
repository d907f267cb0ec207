import module from 'node:module';

// Node 22 and newer keep compiled code for the next start. What is imported statically would be compiled before this line.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

const { runApplication } = await import('@jig/application');
const { service } = await import('./application.ts');
await runApplication(service);
