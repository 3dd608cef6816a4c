import type { FlowSchema, PriorityLevelConfiguration } from '../types.ts'
import { printer, type Printer } from './columns.ts'

const none = '<none>'

/** How the kinds of flowcontrol.apiserver.k8s.io are printed. */
export const flowControlPrinters: Readonly<Record<string, Printer>> = {
  'flowschemas.flowcontrol.apiserver.k8s.io': printer<FlowSchema>(
    'Name,PriorityLevel,MatchingPrecedence,DistinguisherMethod,Age,MissingPL',
    ({ metadata, spec, status }, _nowMs, age) => [
      metadata.name,
      spec.priorityLevelConfiguration.name,
      spec.matchingPrecedence ?? 0,
      spec.distinguisherMethod?.type ?? none,
      age,
      status?.conditions?.find((one) => one.type === 'Dangling')?.status ?? '?',
    ],
  ),
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': printer<PriorityLevelConfiguration>(
    'Name,Type,NominalConcurrencyShares,Queues,HandSize,QueueLengthLimit,Age',
    ({ metadata, spec }, _nowMs, age) => {
      const queuing = spec.limited?.limitResponse?.queuing
      return [
        metadata.name,
        spec.type,
        spec.limited?.nominalConcurrencyShares ?? none,
        queuing?.queues ?? none,
        queuing?.handSize ?? none,
        queuing?.queueLengthLimit ?? none,
        age,
      ]
    },
  ),
}
