import type { Container, ContainerStatus, Pod } from '../types.ts'
import { pullOf } from './behavior.ts'

const firstBackoffMs = 10_000
const longestBackoffMs = 300_000
const startMs = 250

/** Which of a pod's lists of containers one stands in. */
export type Place = 'initContainers' | 'containers' | 'ephemeralContainers'

/** Tells of a container in an event. */
export type Say = (
  pod: Pod,
  container: Container,
  isWarning: boolean,
  reason: string,
  message: string,
  place?: Place,
) => void

export type PullStage =
  | { type: 'pulling'; dueMs: number; sinceMs: number }
  | { type: 'starting'; dueMs: number }
  | { type: 'backoff'; dueMs: number }

type Pulling = {
  nowMs: number
  /** Images that the node has already; pulled ones are added. */
  images: Set<string>
}

/** How the containers of one pod come by their images. */
export class ImagePulls {
  readonly #speed: number
  readonly #say: Say
  readonly #failures = new Map<string, number>()

  constructor(speed: number, say: Say) {
    this.#speed = speed
    this.#say = say
  }

  /** Starts to pull what the node does not have. */
  begin(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    around: Pulling,
    place: Place,
  ): PullStage | undefined {
    const image = container.image ?? ''
    const { nowMs } = around
    if (around.images.has(image) && container.imagePullPolicy !== 'Always') {
      this.#say(
        pod,
        container,
        false,
        'Pulled',
        `Container image "${image}" already present on machine`,
        place,
      )
      return { type: 'starting', dueMs: nowMs + startMs / this.#speed }
    }
    if (container.imagePullPolicy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`
      own.state = { waiting: { reason: 'ErrImageNeverPull', message } }
      this.#say(pod, container, true, 'ErrImageNeverPull', message, place)
      return undefined
    }
    const result = pullOf(pod, image)
    if (!result.ok && result.invalid) {
      own.state = { waiting: { reason: 'InvalidImageName', message: result.message } }
      this.#say(pod, container, true, 'InspectFailed', result.message, place)
      return undefined
    }
    this.#say(pod, container, false, 'Pulling', `Pulling image "${image}"`, place)
    const isKnown = around.images.has(image)
    const durationMs = result.ok ? (isKnown ? 300 : result.durationMs) : 900
    return { type: 'pulling', sinceMs: nowMs, dueMs: nowMs + durationMs / this.#speed }
  }

  /** What has become of a pull. */
  finish(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    sinceMs: number,
    around: Pulling,
    place: Place,
  ): PullStage {
    const image = container.image ?? ''
    const { nowMs } = around
    const result = pullOf(pod, image)
    if (result.ok) {
      around.images.add(image)
      this.#failures.delete(container.name)
      const seconds = (((nowMs - sinceMs) * this.#speed) / 1000).toFixed(3)
      this.#say(
        pod,
        container,
        false,
        'Pulled',
        `Successfully pulled image "${image}" in ${seconds}s (${seconds}s including waiting). Image size: ${result.bytes} bytes.`,
        place,
      )
      return { type: 'starting', dueMs: nowMs + startMs / this.#speed }
    }
    const failures = (this.#failures.get(container.name) ?? 0) + 1
    this.#failures.set(container.name, failures)
    this.#say(pod, container, true, 'Failed', `Failed to pull image "${image}": ${result.message}`, place)
    this.#say(pod, container, true, 'Failed', 'Error: ErrImagePull', place)
    const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1))
    if (failures === 1) own.state = { waiting: { reason: 'ErrImagePull', message: result.message } }
    else {
      own.state = {
        waiting: {
          reason: 'ImagePullBackOff',
          message: `Back-off pulling image "${image}": ErrImagePull: ${result.message}`,
        },
      }
      this.#say(pod, container, false, 'BackOff', `Back-off pulling image "${image}"`, place)
      this.#say(pod, container, true, 'Failed', 'Error: ImagePullBackOff', place)
    }
    // The first failure turns into a back-off a moment later, as people are used to see.
    return { type: 'backoff', dueMs: nowMs + (failures === 1 ? 2000 : backoffMs) / this.#speed }
  }
}
