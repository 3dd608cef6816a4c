import { hash } from '../random.ts'
import { quantity } from '../quantity.ts'
import type { Container, Pod } from '../types.ts'
import { isServer } from './images.ts'
import { isPlayed } from './program.ts'

/** What a container's program does, as far as the outside can tell. */
export type Behavior = {
  /** How long it runs before it ends by itself; undefined: until it is stopped. */
  runsMs: number | undefined
  exitCode: number
  reason: 'Completed' | 'Error' | 'OOMKilled'
  /** What it writes before it settles into its work, or ends. */
  output: readonly string[]
}

/** Pods say with annotations under this prefix how their containers shall behave. */
const annotationPrefix = 'sandbox.bey/'

export function annotation(pod: Pod, name: string): string | undefined {
  return pod.metadata.annotations?.[annotationPrefix + name]
}

const jobRunMs = 4000
const crashRunMs = 1500

function forever(output: readonly string[] = []): Behavior {
  return { runsMs: undefined, exitCode: 0, reason: 'Completed', output }
}

function ends(runsMs: number, exitCode: number, output: readonly string[] = []): Behavior {
  return { runsMs, exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', output }
}

const piText =
  '3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196'

/** Memory that a stress test asks for beyond its container's limit. */
function exceedsMemory(container: Container): boolean {
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  const asked = words[words.indexOf('--vm-bytes') + 1]
  const limit = quantity(container.resources?.limits?.['memory'])
  if (!words.includes('--vm-bytes') || asked === undefined || limit === 0) return false
  return quantity(asked.replace(/^(\d+)([KMG])$/, '$1$2i')) > limit
}

function crash(output: readonly string[]): Behavior {
  return { runsMs: crashRunMs, exitCode: 1, reason: 'Error', output }
}

const crashOutput = [
  'starting',
  'connecting to upstream',
  'panic: configuration is incomplete: DATABASE_URL is not set',
  'exit status 1',
]

const oom: Behavior = {
  runsMs: 2500,
  exitCode: 137,
  reason: 'OOMKilled',
  output: ['allocating buffers', 'cache warmed: 96 MiB'],
}

/**
 * What this container does, from the pod's annotations, its command and the name of its image; undefined where the
 * simulated shell plays its command.
 */
export function behaviorOf(pod: Pod, container: Container): Behavior | undefined {
  const asked = annotation(pod, 'behavior')
  const image = container.image ?? ''
  if (asked === 'oom' || /(^|[/:_-])oom/.test(image) || exceedsMemory(container)) return oom
  if (asked === 'crash' || /crash|(^|[/:-])fail(ing)?([:-]|$)/.test(image)) {
    return crash(annotation(pod, 'last-words')?.split('\n') ?? crashOutput)
  }
  if (asked === 'exit')
    return ends(Number(annotation(pod, 'runs-ms') ?? jobRunMs), Number(annotation(pod, 'exit-code') ?? 0))
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  if (words[0]?.endsWith('perl') && words.some((word) => word.includes('bpi')))
    return ends(jobRunMs, 0, [piText])
  if (isPlayed(container, words)) return undefined
  if (/hello-world/.test(image)) return ends(500, 0, ['Hello from Docker!'])
  // A shell without a terminal has nothing to read and ends.
  if (
    words.length === 0 &&
    !container.stdin &&
    /(^|\/)(busybox|alpine|ubuntu|debian|bash|perl|python|node|golang)(:|@|$)/.test(image)
  )
    return ends(300, 0)
  // Somebody is going to type into it.
  if (container.stdin) return forever()
  if (isServer(words)) return forever()
  // Work that is meant to end does.
  if (pod.spec.restartPolicy !== 'Always')
    return ends(jobRunMs + (hash(pod.metadata.uid) % 3000), 0, ['processing', 'done'])
  return forever()
}

export type PullResult =
  | { ok: true; durationMs: number; bytes: number }
  | { ok: false; invalid: boolean; message: string }

const missingImage =
  /(does-?not-?exist|nonexistent|no-?such|not-?found|missing|invalid|bad-?image|broken|typo|:nope)/i
const validImage = /^[a-z0-9]([a-z0-9._/:-]*[a-z0-9])?(:[\w][\w.-]*)?(@sha256:[0-9a-f]{64})?$/

/** How pulling an image goes: how long it takes and how large it is, or why it fails. */
export function pullOf(pod: Pod, image: string): PullResult {
  if (!validImage.test(image)) {
    return {
      ok: false,
      invalid: true,
      message: `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`,
    }
  }
  if (annotation(pod, 'behavior') === 'pull-error' || missingImage.test(image)) {
    const full = image.includes('/') ? image : `docker.io/library/${image}`
    const message = `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`
    return { ok: false, invalid: false, message }
  }
  const slow = Number(
    annotation(pod, 'pull-ms') ?? (annotation(pod, 'behavior') === 'slow-pull' ? 60_000 : 0),
  )
  const seed = hash(image)
  return {
    ok: true,
    durationMs: slow > 0 ? slow : 800 + (seed % 2400),
    bytes: 4_000_000 + (seed % 180_000_000),
  }
}
