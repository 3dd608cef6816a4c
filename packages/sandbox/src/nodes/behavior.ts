import { hash } from '../random.ts'
import { quantity } from '../quantity.ts'
import type { Container, Pod } from '../types.ts'

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

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function sleepMs(text: string): number | undefined {
  if (text === 'infinity' || text === 'inf') return undefined
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text)
  return match ? Number(match[1]) * (unitsMs[match[2] || 's'] ?? 1000) : 0
}

function unquote(word: string): string {
  return word.replace(/^(["'])(.*)\1$/s, '$2')
}

/** Follows a shell script as far as its sleeps, echoes and exits tell how it goes. */
function scriptBehavior(script: string): Behavior {
  if (
    /\bwhile\s+(true|:|\[ 1 \]|sleep)|\bfor\s*\(\(\s*;;\s*\)\)|\btail\s+-f|\bsleep\s+(infinity|inf)\b|\buntil\s+false/.test(
      script,
    )
  ) {
    const said = /echo\s+([^;&|]+)/.exec(script)?.[1]
    return forever(said && !/\$/.test(said) ? [unquote(said.trim())] : [])
  }
  let runsMs = 300
  const output: string[] = []
  for (const raw of script.split(/;|&&|\n/)) {
    const part = raw.trim().replace(/^(do|then)\s+/, '')
    const [command = '', ...rest] = part.split(/\s+/)
    if (command === 'sleep') {
      const ms = sleepMs(rest[0] ?? '')
      if (ms === undefined) return forever(output)
      runsMs += ms
    } else if (command === 'echo' || command === 'printf') {
      if (!part.includes('>'))
        output.push(
          unquote(
            part
              .slice(command.length)
              .replace(/^\s+-[en]+/, '')
              .trim(),
          ),
        )
    } else if (command === 'exit') return ends(runsMs, Number(rest[0] ?? 0) & 255, output)
    else if (command === 'false') return ends(runsMs, 1, output)
    else if (command === 'date') output.push('Thu Jan  1 00:00:00 UTC 1970')
    else if (/^(nginx|httpd|node|python3?|java|redis-server|postgres|exec|\/)/.test(command))
      return forever(output)
  }
  return ends(runsMs, 0, output)
}

function commandBehavior(words: readonly string[]): Behavior | undefined {
  const [first = '', ...rest] = words
  const command = first.split('/').at(-1) ?? ''
  if (['sh', 'bash', 'ash'].includes(command)) {
    const script = rest.find((_word, i) => /^-\w*c\w*$/.test(rest[i - 1] ?? ''))
    return script === undefined ? undefined : scriptBehavior(script)
  }
  if (command === 'sleep') {
    const ms = sleepMs(rest[0] ?? '')
    return ms === undefined ? forever() : ends(ms, 0)
  }
  if (command === 'echo') return ends(200, 0, [rest.join(' ')])
  if (command === 'true') return ends(200, 0)
  if (command === 'false') return ends(200, 1)
  if (command === 'perl' && rest.some((word) => word.includes('bpi'))) return ends(jobRunMs, 0, [piText])
  if (command === 'tail') return forever()
  return undefined
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

const oom: Behavior = {
  runsMs: 2500,
  exitCode: 137,
  reason: 'OOMKilled',
  output: ['allocating buffers', 'cache warmed: 96 MiB'],
}

/** What this container does, from the pod's annotations, its command and the name of its image. */
export function behaviorOf(pod: Pod, container: Container): Behavior {
  const asked = annotation(pod, 'behavior')
  const image = container.image ?? ''
  if (asked === 'oom' || /(^|[/:_-])oom/.test(image) || exceedsMemory(container)) return oom
  if (asked === 'crash' || /crash|(^|[/:-])fail(ing)?([:-]|$)/.test(image)) {
    return crash([
      'starting',
      'connecting to upstream',
      'panic: configuration is incomplete: DATABASE_URL is not set',
      'exit status 1',
    ])
  }
  if (asked === 'exit')
    return ends(Number(annotation(pod, 'runs-ms') ?? jobRunMs), Number(annotation(pod, 'exit-code') ?? 0))
  const words = [...(container.command ?? []), ...(container.args ?? [])]
  const behavior = commandBehavior(words)
  if (behavior) return behavior
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
