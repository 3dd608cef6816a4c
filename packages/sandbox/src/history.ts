import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Cluster } from './api/context.ts'
import { systemClock } from './clock.ts'
import { clone, isObject, listAt, numberAt, textAt, type Json, type JsonObject } from './json.ts'
import { manualClock } from './manual-clock.ts'
import { readGroups } from './http/admin.ts'
import type { NodeGroup, SandboxOptions } from './options.ts'
import { pastUsage, type PastUsage } from './past-usage.ts'
import { openSandbox } from './sandbox.ts'
import type { KubeObject } from './types.ts'

/** What happened at one moment of the past of a sandbox. */
type Chapter = {
  /** When it was, as milliseconds since the epoch. */
  atMs: number
  /** How much of the time after it is simulated; the rest passes as if the machines had been switched off. */
  passMs: number
  /** Created, or where they exist: given this spec, these labels and these annotations. */
  objects: readonly JsonObject[]
  /** The field manager that wrote them. */
  manager: string
}

type History = {
  /** Machines from the beginning on. */
  nodes: NodeGroup[]
  seed: number
  chapters: readonly Chapter[]
}

const mostChapters = 20
const stepMs = 1_000

/**
 * Gives a new directory a past: chapter after chapter is played by a clock that does not wait, so two weeks take a
 * second or two. What starts from the directory afterwards finds objects, revisions, events and restarts as old as they
 * would be. The first chapter also has the add-ons.
 */
export async function writeHistory(
  options: Pick<SandboxOptions, 'dir' | 'name' | 'region'>,
  { nodes, seed, chapters }: History,
): Promise<void> {
  const versions: Json[] = []
  let usage: PastUsage | undefined
  for (const [index, chapter] of chapters.entries()) {
    const clock = manualClock(chapter.atMs)
    const { sandbox, cluster } = await openSandbox({ ...options, nodes, seed, clock })
    const addons = index === 0 ? sandbox.installAddons() : undefined
    for (const object of chapter.objects) {
      const stored = write(cluster, object, chapter.manager)
      versions.push({ atMs: chapter.atMs, object: clone(stored) })
    }
    cluster.store.flush()
    for (let leftMs = chapter.passMs; leftMs > 0; leftMs -= stepMs) {
      clock.advance(Math.min(stepMs, leftMs))
      // Probes and the programs of containers take turns of the event loop, which a moved clock does not wait for.
      await setImmediate()
    }
    await addons
    // Up to the present: after the last chapter the cluster went on as it was.
    if (index === chapters.length - 1) usage = pastUsage(cluster, Math.max(clock.now(), systemClock.now()))
    await sandbox.stop()
  }
  const partial = join(options.dir, `${pastFile}.tmp`)
  writeFileSync(partial, JSON.stringify({ versions, usage }), { mode: 0o600 })
  renameSync(partial, join(options.dir, pastFile))
}

/** In the directory: what each object said after each chapter that wrote it, and what was used meanwhile. */
const pastFile = 'past.json'

function write(cluster: Cluster, object: JsonObject, manager: string): KubeObject {
  const kind = cluster.registry.byType(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '')
  if (!kind) throw new Error(`The history names the kind ${textAt(object, 'kind')}, which there is not.`)
  const namespace = textAt(object, 'metadata', 'namespace')
  const name = textAt(object, 'metadata', 'name') ?? ''
  const there = cluster.store.find(kind.key, kind.namespaced ? (namespace ?? 'default') : undefined, name)
  if (!there) return cluster.resources.create(kind, namespace, clone(object), { manager })
  const { metadata, ...rest } = clone(object)
  const given = isObject(metadata) ? metadata : {}
  return cluster.resources.update(
    kind,
    there.metadata.namespace,
    name,
    (copy) => {
      Object.assign(copy, rest)
      for (const part of ['labels', 'annotations'] as const) {
        const texts = given[part]
        if (isObject(texts)) Object.assign(copy.metadata, { [part]: { ...copy.metadata[part], ...texts } })
      }
    },
    { manager },
  )
}

/** The history of a file. Throws with a sentence for what makes no sense. */
export function readHistory(body: Json): History {
  const nodes = readGroups(listAt(body, 'nodes'))
  return { nodes, seed: numberAt(body, 'seed') ?? 1, chapters: readChapters(body) }
}

function readChapters(body: Json): Chapter[] {
  const list = listAt(body, 'chapters')
  if (list.length === 0 || list.length > mostChapters)
    throw new Error(`A history has 1 to ${mostChapters} chapters; this one has ${list.length}.`)
  return list.map((item) => {
    const atMs = numberAt(item, 'atMs') ?? 0
    const passMs = numberAt(item, 'passMs') ?? 0
    if (!(atMs > 0) || !(passMs >= 0))
      throw new Error('A chapter needs the time when it was, and how much passes.')
    const objects = listAt(item, 'objects').filter(isObject)
    return { atMs, passMs, objects, manager: textAt(item, 'manager') ?? 'kubectl' }
  })
}
