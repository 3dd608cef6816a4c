import type { StorageLimits } from '../admission/storage-limits.ts'
import type { WebhookTargets } from '../admission/webhook-targets.ts'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Registry } from '../registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { EventRecorder } from '../controllers/event-recorder.ts'
import type { FlowLog } from '../network/flow-log.ts'
import type { PowerSwitch } from '../nodes/node-power.ts'
import type { Endings } from '../nodes/endings.ts'
import type { Resources } from './resources.ts'

/** What every part of one sandbox shares. */
export type Cluster = {
  name: string
  region: string
  /** Reported by /version and by the nodes: `v1.33.4-sandbox`. */
  version: string
  /** Simulated delays are divided by this. */
  speed: number
  seed: number
  caPem: string
  /** Signs certificates of clients; undefined where its key was not kept. */
  authority: { caPem: string; caKeyPem: string } | undefined
  /** Signs service account tokens. */
  signingKey: string
  startedAtMs: number
  webhookTargets: WebhookTargets
  /** Local TCP ports that ports of pods may lead to. */
  forwardedPorts: readonly number[]
  /** Files of this machine by the names under which commands in pods run them. */
  hostPrograms: Readonly<Record<string, string>>
  limits: StorageLimits
  /** How long a request waits before it is answered, while the API is meant to be slow. */
  apiDelay: { ms: number }
  clock: Clock
  random: Random
  store: Store
  registry: Registry
  resources: Resources
  recorder: EventRecorder
  endings: Endings
  /** Connections that pods tried. */
  flows: FlowLog
  /** Which machines are switched off. */
  power: PowerSwitch
  /** Tells of a bug in a controller; it goes on with the next object. */
  report: (error: unknown) => void
}
