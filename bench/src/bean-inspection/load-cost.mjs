// Prints the CPU time in ms that bean inspection adds to the start of an Express application, which is loaded before.
import express from 'express';

const app = express();
const start = process.cpuUsage();
const { beanInspection } = await import('@jig/bean-inspection/express');
app.use(beanInspection({ pricing: { tax: 19 } }));
const { user, system } = process.cpuUsage(start);
console.log((user + system) / 1000);
