export type { Clock } from './clock.ts'
export { manualClock, type ManualClock } from './manual-clock.ts'
export type { NodeGroup, SandboxOptions } from './options.ts'
export { startSandbox, type Sandbox } from './sandbox.ts'
