import type { View } from '@jig/inspect';
import { heap, ProcessBean } from './process-bean.ts';

/** The first six are recorded by default. */
export const processView: View<ProcessBean> = {
  name: 'process',
  matches: (value): value is ProcessBean => value instanceof ProcessBean,
  readings: {
    cpu: {
      read: ({ cpu }) => cpu.percent,
      unit: '%',
      metric: 'process.cpu.utilization',
      description: 'Of one core; several threads can use more than one.',
    },
    residentMemory: { read: ({ memory }) => memory.rss, unit: 'bytes', metric: 'process.memory.usage' },
    heapUsed: { read: () => heap().used_heap_size, unit: 'bytes', metric: 'v8js.memory.heap.used' },
    eventLoopDelayP99: {
      read: ({ eventLoopDelay }) => eventLoopDelay?.percentile99,
      unit: 'ms',
      metric: 'nodejs.eventloop.delay.p99',
      description: 'Of a hundred timers, 99 fired no later than this.',
    },
    eventLoopUtilization: {
      read: (bean) => bean.eventLoopUtilization.percent,
      unit: '%',
      metric: 'nodejs.eventloop.utilization',
      description: 'The share of time in which code ran.',
    },
    garbageCollection: {
      read: (bean) => bean.garbageCollection?.percent,
      unit: '%',
      description: 'The share of time that it took.',
    },
    eventLoopDelayP50: {
      read: ({ eventLoopDelay }) => eventLoopDelay?.percentile50,
      unit: 'ms',
      metric: 'nodejs.eventloop.delay.p50',
      description: 'Half of the timers fired no later than this.',
    },
    handles: {
      read: ({ handles }) => Object.values(handles).reduce((sum, count) => sum + count, 0),
      description: 'What keeps the process running: servers, sockets, timers.',
    },
    cpuTime: { read: ({ cpu }) => (cpu.user + cpu.system) / 1e6, unit: 's', metric: 'process.cpu.time' },
    garbageCollectionTime: {
      read: (bean) => bean.garbageCollection?.seconds,
      unit: 's',
      metric: 'v8js.gc.duration',
      description: 'Since it is measured.',
    },
    upTime: { read: () => process.uptime(), unit: 's', metric: 'process.uptime' },
    heapLimit: {
      read: (bean) => bean.heapLimit,
      unit: 'bytes',
      isSetting: true,
      metric: 'v8js.memory.heap.limit',
    },
    pid: { read: ({ pid }) => String(pid), isSetting: true },
    node: { read: ({ versions }) => versions.node, isSetting: true },
  },
};
