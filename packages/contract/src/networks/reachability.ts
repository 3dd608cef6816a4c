import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { cellStates } from '../reachability/matrix.ts'
import { protocols } from '../reachability/snapshot.ts'
import { idParams, timestamp } from '../base/schema.ts'

const count = z.number().int().min(0)
const path = '/api/kubernetes/clusters/{id}/reachability'
const errors = ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden'] as const

/** Bounds of what is answered at once. */
export const reachabilityLimits = {
  rows: 200,
  columns: 400,
  flows: 200,
  findings: 500,
  rules: 500,
  reached: 500,
  ends: 2_000,
  changes: 50,
} as const

/** An end of a flow: `workload:shop/search`, `service:data/orders`, `address:0.0.0.0/0`. */
const end = z.string().trim().min(1).max(600)
const portNumber = z.coerce.number().int().min(1).max(65_535)
const protocol = z.enum(protocols)
const gateState = z.enum(['open', 'closed', 'unknown'])

const policyRef = z.object({ kind: z.string(), namespace: z.string().nullable(), name: z.string() })
const decidingRule = policyRef.extend({
  path: z.string(),
  /** Its number among its list, from 1. */
  number: z.number().int(),
  /** Peers and ports in words. */
  text: z.string(),
})

const gate = z.object({
  kind: z.enum(['name', 'service', 'leaving', 'entering', 'allow-list']),
  state: gateState,
  title: z.string(),
  subtitle: z.string(),
  text: z.string(),
  /** Policies that were asked, in their order. */
  asked: z.array(policyRef),
  rule: decidingRule.nullable(),
  /** What opens a closed gate. */
  change: z
    .object({
      kind: z.enum(['add-rule', 'add-policy', 'change-rule', 'allow-list']),
      text: z.string(),
      policy: policyRef.nullable(),
      /** YAML of the rule or of the policy that is to be added; null where nothing is. */
      manifest: z.string().nullable(),
      /** For which Bey keeps the policy that is to be changed; null for every other policy, and for a new one. */
      network: z.object({ id: z.string(), name: z.string() }).nullable(),
    })
    .nullable(),
})
export type ReachabilityGate = z.infer<typeof gate>

/** What an answer was computed from. */
const basis = {
  /** State of the cluster that was asked. */
  asOf: timestamp,
  /** Why the cluster is not known as it is now, as a sentence; null where it is. */
  doubt: z.string().nullable(),
  policies: count,
  pods: count,
}

const pairs = z.object({ open: count, closed: count, unknown: count })
const reachEnd = z
  .object({
    pod: z.string().nullable(),
    node: z.string().nullable(),
    /** Of the pod. */
    address: z.string().nullable(),
  })
  .nullable()

const check = z
  .object({
    answer: z.enum(['yes', 'no', 'partly', 'unknown']),
    sentence: z.string(),
    /** All gates of the narrowest way, also those behind a closed one. */
    gates: z.array(gate).max(5),
    from: reachEnd,
    to: reachEnd,
    /** Pairs of pods, nodes or addresses. */
    pairs,
    notes: z.array(z.string()).max(5),
    /** Connections that were seen on this way; null where the cluster reports none. */
    seen: z.object({ passed: count, dropped: count, lastSeenAt: timestamp.nullable() }).nullable(),
    ...basis,
  })
  .meta({ id: 'ReachabilityCheck' })
export type ReachabilityCheck = z.infer<typeof check>

const group = z.object({
  /** By which it can be asked about: `workload:shop/Deployment/web`. */
  id: z.string(),
  name: z.string(),
  namespace: z.string().nullable(),
})
const port = z.object({
  protocol,
  /** 0 stands for any other port than those that rules name. */
  port: z.number().int().min(0).max(65_535),
})

const matrix = z
  .object({
    rows: z.array(group).max(reachabilityLimits.rows),
    columns: z.array(group.extend(port.shape)).max(reachabilityLimits.columns),
    /** A text for each row with a letter for each column: c closed, o open, p partly, u unknown. */
    cells: z.array(z.string()).max(reachabilityLimits.rows),
    totalRows: count,
    totalColumns: count,
    ...basis,
  })
  .meta({ id: 'ReachabilityMatrix' })
export type ReachabilityMatrix = z.infer<typeof matrix>

const flow = z.object({
  from: group,
  to: group,
  ...port.shape,
  was: z.enum(cellStates),
  is: z.enum(cellStates),
  /** Connections that were seen on it; null where none was, or where the cluster reports none. */
  observed: z.object({ count, lastSeenAt: timestamp.nullable() }).nullable(),
})

const rule = decidingRule.extend({
  direction: z.enum(['ingress', 'egress']),
  action: z.enum(['allow', 'deny', 'pass']),
  /** Of the pods, how many it holds for. */
  pods: count,
  /** Connections that were seen and that it lets through; null for one that denies, and where none are reported. */
  hits: z.object({ count, lastSeenAt: timestamp.nullable() }).nullable(),
})
const rest = z.object({ isIsolated: z.boolean(), policies: z.array(policyRef), text: z.string() })

const finding = z.object({
  code: z.string(),
  severity: z.enum(['warning', 'note']),
  policy: policyRef,
  path: z.string().nullable(),
  text: z.string(),
})

const text = z.string().max(320)
const selector = z.strictObject({
  matchLabels: z.record(text, text).optional(),
  matchExpressions: z
    .array(z.strictObject({ key: text, operator: text, values: z.array(text).max(100).optional() }))
    .max(100)
    .optional(),
})
const peers = z
  .array(
    z.strictObject({
      podSelector: selector.optional(),
      namespaceSelector: selector.optional(),
      ipBlock: z.strictObject({ cidr: text, except: z.array(text).max(1_000).optional() }).optional(),
    }),
  )
  .max(1_000)
  .optional()
const ports = z
  .array(
    z.strictObject({
      protocol: text.optional(),
      port: z.union([z.number(), text]).optional(),
      endPort: z.number().optional(),
    }),
  )
  .max(1_000)
  .optional()

/** As the API takes it; what the cluster would refuse beyond its shape is answered as a problem. */
const proposedSpec = z.strictObject({
  podSelector: selector.optional(),
  policyTypes: z.array(text).max(2).optional(),
  ingress: z
    .array(z.strictObject({ ports, from: peers }))
    .max(1_000)
    .optional(),
  egress: z
    .array(z.strictObject({ ports, to: peers }))
    .max(1_000)
    .optional(),
})

/** Rules of Cilium in the members that its kind has; what of them is not modelled makes answers unknown. */
const ciliumRules = z.array(z.record(text, z.unknown())).max(1_000).optional()
const proposedCiliumSpec = z.strictObject({
  endpointSelector: selector.optional(),
  ingress: ciliumRules,
  ingressDeny: ciliumRules,
  egress: ciliumRules,
  egressDeny: ciliumRules,
  enableDefaultDeny: z
    .strictObject({ ingress: z.boolean().optional(), egress: z.boolean().optional() })
    .optional(),
})
const proposedPlace = { namespace: z.string().min(1).max(63), name: z.string().min(1).max(253) }

export const networkReachabilityEndpoints = {
  'networks.reachability.ends': endpoint({
    method: 'GET',
    path: `${path}/ends`,
    summary: 'What can be asked about: namespaces, workloads, services, ingresses and databases',
    access: 'kubernetes.read',
    params: idParams,
    response: z.object({
      ends: z
        .array(
          group.extend({
            kind: z.enum(['namespace', 'workload', 'service', 'ingress', 'database']),
            /** The first port on which it is called; null where none is known. */
            port: portNumber.nullable(),
          }),
        )
        .max(reachabilityLimits.ends),
      total: count,
      ...basis,
    }),
    errors,
  }),
  'networks.reachability.check': endpoint({
    method: 'GET',
    path: `${path}/check`,
    summary: 'Whether one end reaches another on a port, gate by gate',
    access: 'kubernetes.read',
    params: idParams,
    query: z.object({
      from: end,
      to: end,
      port: portNumber,
      protocol: protocol.default('TCP'),
      /** Whether the target is called by its name, for which the DNS has to be reached. */
      byName: z.enum(['true', 'false']).default('false'),
    }),
    response: check,
    errors,
  }),
  'networks.reachability.matrix': endpoint({
    method: 'GET',
    path: `${path}/matrix`,
    summary: 'Who reaches whom, by workload or by namespace',
    access: 'kubernetes.read',
    params: idParams,
    query: z.object({
      by: z.enum(['workload', 'namespace']).default('workload'),
      namespace: z.string().max(63).optional(),
    }),
    response: matrix,
    errors,
  }),
  'networks.reachability.reachable': endpoint({
    method: 'GET',
    path: `${path}/reachable`,
    summary: 'Who reaches something, or what something reaches',
    access: 'kubernetes.read',
    params: idParams,
    query: z.object({
      of: end,
      direction: z.enum(['in', 'out']).default('in'),
      /** Of what is reached, where the direction is `in`; without it every port that is known of it. */
      port: portNumber.optional(),
      protocol: protocol.default('TCP'),
    }),
    response: z.object({
      reached: z
        .array(group.extend(port.shape).extend({ state: z.enum(cellStates) }))
        .max(reachabilityLimits.reached),
      total: count,
      ...basis,
    }),
    errors,
  }),
  'networks.reachability.rules': endpoint({
    method: 'GET',
    path: `${path}/rules`,
    summary: 'Every rule that holds for something, with the policy that it comes from',
    access: 'kubernetes.read',
    params: idParams,
    query: z.object({ of: end }),
    response: z.object({
      rules: z.array(rule).max(reachabilityLimits.rules),
      total: count,
      /** What becomes of what no rule is about; null where nothing that policies hold for was named. */
      rest: z.object({ ingress: rest, egress: rest }).nullable(),
      ...basis,
    }),
    errors,
  }),
  'networks.reachability.findings': endpoint({
    method: 'GET',
    path: `${path}/findings`,
    summary:
      'Rules that are covered or never used, whose peers match nothing, or that open more than they seem to',
    access: 'kubernetes.read',
    params: idParams,
    response: z.object({
      findings: z.array(finding).max(reachabilityLimits.findings),
      total: count,
      ...basis,
    }),
    errors,
  }),
  'networks.reachability.whatIf': endpoint({
    method: 'POST',
    path: `${path}/what-if`,
    summary: 'Which flows end and begin if network policies are changed; nothing is changed',
    access: 'kubernetes.read',
    withoutIdempotencyKey: 'It changes nothing.',
    outdates: [],
    params: idParams,
    body: z.strictObject({
      /** Policies as they would be; `spec` null for one that is deleted. */
      changes: z
        .array(
          z.union([
            z.strictObject({
              kind: z.literal('NetworkPolicy').default('NetworkPolicy'),
              ...proposedPlace,
              spec: proposedSpec.nullable(),
            }),
            z.strictObject({
              kind: z.literal('CiliumNetworkPolicy'),
              ...proposedPlace,
              spec: proposedCiliumSpec.nullable(),
            }),
          ]),
        )
        .min(1)
        .max(reachabilityLimits.changes),
    }),
    response: z.object({
      sentence: z.string(),
      ends: z.array(flow).max(reachabilityLimits.flows),
      endCount: count,
      begins: z.array(flow).max(reachabilityLimits.flows),
      beginCount: count,
      /** What of the proposed policies the cluster would refuse, and what here matches nothing. */
      problems: z
        .array(z.object({ policy: policyRef, path: z.string(), text: z.string() }))
        .max(reachabilityLimits.findings),
      ...basis,
    }),
    errors,
  }),
} as const
