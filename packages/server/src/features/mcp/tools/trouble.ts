import { z } from 'zod'
import {
  clusterField,
  findCluster,
  findObject,
  namespaceField,
  objectFields,
  objectParams,
} from '../targets.ts'
import { readTool } from '../tool.ts'

const nullableText = z.string().nullable()
const place = z.object({ cluster: nullableText, namespace: nullableText, kind: z.string(), name: z.string() })

export const needsAttention = readTool({
  name: 'needs_attention',
  title: 'What needs attention',
  description:
    'Start here. Everything of the organization that fails or is about to, the worst first: workloads, nodes, volumes, clusters, runs. Use explain_failure for why one of them fails.',
  needs: ['analytics.read'],
  input: {},
  output: {
    state: z.string(),
    items: z.array(
      place.extend({ state: z.string(), reason: nullableText, detail: nullableText, since: nullableText }),
    ),
    failing: z.number(),
    degraded: z.number(),
    /** Clusters whose state is not known, and why. */
    unreadable: z.array(z.object({ cluster: z.string(), reason: z.string() })),
  },
  async run({ call }) {
    const { summary, attention, unreachableClusters } = await call('analytics.dashboard')
    const { items, counts } = attention
    const total = counts.failing + counts.degraded + counts.unknown
    return {
      summary: summary.detail === '' ? summary.text : `${summary.text}. ${summary.detail}`,
      state: summary.state,
      items: items.map(({ kind, name, namespace, cluster, health }) => ({
        kind,
        name,
        namespace,
        cluster: cluster?.title ?? null,
        state: health.state,
        reason: health.reason,
        detail: health.detail,
        since: health.since,
      })),
      failing: counts.failing,
      degraded: counts.degraded,
      unreadable: unreachableClusters.map(({ title, reason }) => ({ cluster: title, reason })),
      leftOut: total > items.length ? [`items: the worst ${items.length} of ${total}.`] : [],
    }
  },
})

export const explainFailure = readTool({
  name: 'explain_failure',
  title: 'Why does it fail',
  description:
    'Why a workload, pod, node or volume of a cluster fails: symptom, cause, evidence with quotes from events and logs, what was ruled out, and what to do about it, the best first.',
  needs: ['kubernetes.read', 'clusters.read'],
  input: objectFields,
  output: {
    isFailing: z.boolean(),
    symptom: nullableText,
    since: nullableText,
    cause: nullableText,
    evidence: z.array(
      z.object({ kind: z.string(), text: z.string(), quote: nullableText, at: nullableText }),
    ),
    /** What helps, the best first; `action` names the act where a tool or the console has one. */
    remedies: z.array(z.object({ text: z.string(), action: nullableText, command: nullableText })),
    ruledOut: z.array(z.string()),
  },
  async run(context, fields) {
    const target = await findObject(context, fields)
    const { diagnosis } = await context.call('kubernetes.diagnosis', { params: objectParams(target) })
    if (diagnosis === null)
      return {
        summary: `Nothing is wrong with ${target.label}.`,
        isFailing: false,
        symptom: null,
        since: null,
        cause: null,
        evidence: [],
        remedies: [],
        ruledOut: [],
      }
    const { symptom, since, cause, evidence, remedies, ruledOut } = diagnosis
    return {
      summary: `${target.label}: ${symptom}. ${cause?.text ?? 'No known rule explains it: see the evidence.'}`,
      isFailing: true,
      symptom,
      since,
      cause: cause?.text ?? null,
      evidence: evidence.map(({ kind, text, quote, at }) => ({ kind, text, quote, at })),
      remedies: remedies.map(({ text, action, command }) => ({ text, action: action?.id ?? null, command })),
      ruledOut,
    }
  },
})

export const whatChanged = readTool({
  name: 'what_changed',
  title: 'What changed',
  description:
    'What changed in a cluster within the last minutes: objects that were created, updated or deleted, events, runs, and acts of people and keys. Newest first.',
  needs: ['kubernetes.read', 'clusters.read'],
  input: {
    cluster: clusterField,
    namespace: namespaceField.optional(),
    minutes: z.number().int().min(1).max(43_200).default(60).describe('How far back to look.'),
  },
  output: {
    from: z.string(),
    changes: z.array(
      z.object({
        at: z.string(),
        kind: z.string(),
        title: z.string(),
        detail: nullableText,
        isTrouble: z.boolean(),
        by: nullableText,
      }),
    ),
    /** Nothing is known of objects before. */
    knownSince: nullableText,
  },
  async run(context, { cluster: text, namespace, minutes }) {
    const cluster = await findCluster(context, text)
    const to = context.now()
    const from = new Date(to.getTime() - minutes * 60_000).toISOString()
    const { changes, isComplete, knownSince } = await context.call('kubernetes.changes', {
      params: { id: cluster.id },
      query: { from, to: to.toISOString(), ...(namespace !== undefined && { namespace }) },
    })
    const trouble = changes.filter(({ isTrouble }) => isTrouble).length
    return {
      summary: `${changes.length} changes in ${cluster.title} in the last ${minutes} minutes, ${trouble} of them are trouble.`,
      from,
      changes: changes.map(({ at, kind, title, detail, isTrouble, by }) => ({
        at,
        kind,
        title,
        detail,
        isTrouble,
        by,
      })),
      knownSince,
      leftOut: isComplete
        ? []
        : ['changes: only the newest 500. Ask for fewer minutes, or for one namespace.'],
    }
  },
})
