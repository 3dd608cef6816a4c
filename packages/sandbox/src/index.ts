export type { Clock } from './clock.ts'
export type { NodeGroup, SandboxOptions } from './options.ts'
export { startSandbox, type Sandbox } from './sandbox.ts'
