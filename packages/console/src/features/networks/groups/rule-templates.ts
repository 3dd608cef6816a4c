import type { SecurityRule } from '@bey/contract/networks/security-group-rules'

type Template = {
  id: string
  label: string
  /** What it is good for, in a sentence. */
  about: string
  filtersIn: boolean
  filtersOut: boolean
  rules: SecurityRule[]
}

const rule = (values: Partial<SecurityRule>): SecurityRule => ({
  direction: 'in',
  action: 'allow',
  protocol: 'tcp',
  ports: [],
  peer: { kind: 'anywhere' },
  note: '',
  ...values,
})

/** Groups that most begin with; what they name is to be chosen after. */
export const ruleTemplates: readonly Template[] = [
  {
    id: 'web',
    label: 'Web tier',
    about: 'Anyone may connect by HTTP and HTTPS, and by nothing else.',
    filtersIn: true,
    filtersOut: false,
    rules: [rule({ ports: ['80', '443'] })],
  },
  {
    id: 'database',
    label: 'Database, from one workload only',
    about: 'PostgreSQL is reached by the workload that you name, and by nobody else.',
    filtersIn: true,
    filtersOut: false,
    rules: [
      rule({ ports: ['5432'], peer: { kind: 'workload', namespace: 'default', labels: { app: 'web' } } }),
    ],
  },
  {
    id: 'egress',
    label: 'Calls names and HTTPS only',
    about: 'Pods look names up and call HTTPS; everything else that goes out is closed.',
    filtersIn: false,
    filtersOut: true,
    rules: [
      rule({
        direction: 'out',
        protocol: 'udp',
        ports: ['53'],
        peer: { kind: 'namespace', namespace: 'kube-system' },
        note: 'Names',
      }),
      rule({
        direction: 'out',
        ports: ['53'],
        peer: { kind: 'namespace', namespace: 'kube-system' },
        note: 'Names, where an answer is long',
      }),
      rule({ direction: 'out', ports: ['443'] }),
    ],
  },
]

export const emptyRule = rule({})
