import { policy, sctp80, tcp80, tcp81, udp80 } from './network-facts.ts'
import {
  allX,
  always,
  b,
  egress,
  everywhere,
  from,
  ingress,
  into,
  never,
  not,
  ns,
  one,
  outOf,
  pods,
  tcp,
  to,
  type PolicyCase,
} from './policy-case.ts'

const isolation: PolicyCase[] = [
  {
    title: 'without policies everything is open',
    policies: [],
    open: [
      [tcp80, always],
      [udp80, always],
    ],
  },
  one('a policy without rules closes ingress of its pod alone', {}, [tcp80, into('x/a', never)]),
  one('an empty podSelector is about all pods of the namespace', { podSelector: {} }, [
    tcp80,
    into(allX, never),
  ]),
  one('absent policy types mean ingress', { ingress: [] }, [tcp80, into('x/a', never)]),
  one('an empty list of policy types is absent', { policyTypes: [] }, [tcp80, into('x/a', never)]),
  one('egress rules add egress to absent policy types', { egress: [{ to: [{ podSelector: b }] }] }, [
    tcp80,
    (a, t) => into('x/a', never)(a, t) && outOf('x/a', to('x/b'))(a, t),
  ]),
  one('an empty list of egress rules adds nothing', { egress: [] }, [tcp80, into('x/a', never)]),
  one('the type Egress alone leaves ingress open', { policyTypes: ['Egress'] }, [tcp80, outOf('x/a', never)]),
  one('ingress rules without the type Ingress mean nothing', { policyTypes: ['Egress'], ingress: [{}] }, [
    tcp80,
    outOf('x/a', never),
  ]),
  one('egress rules without the type Egress mean nothing', { policyTypes: ['Ingress'], egress: [{}] }, [
    tcp80,
    into('x/a', never),
  ]),
  one(
    'both types without rules close both directions',
    { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    [tcp80, (a, t) => not(from('x/'))(a, t) && not(to('x/'))(a, t)],
  ),
  one('a policy that selects no pod closes nothing', { podSelector: { matchLabels: { pod: 'd' } } }, [
    tcp80,
    always,
  ]),
  one('all protocols are closed alike', {}, [udp80, into('x/a', never)], [sctp80, into('x/a', never)]),
  one('a policy is about its own namespace', { podSelector: b }, [tcp80, into('x/b', never)]),
]

const peers: PolicyCase[] = [
  ingress('an empty rule lets everybody in', {}, always),
  ingress('an empty from lets everybody in', { from: [] }, always),
  egress('an empty to lets everything out', { to: [] }, always),
  ingress('a podSelector means pods of the own namespace', { from: [{ podSelector: b }] }, from('x/b')),
  ingress(
    'an empty podSelector means all pods of the own namespace',
    { from: [{ podSelector: {} }] },
    from('x/'),
  ),
  ingress('an empty namespaceSelector means all namespaces', { from: [{ namespaceSelector: {} }] }, always),
  ingress(
    'a namespaceSelector means all pods of these',
    { from: [{ namespaceSelector: ns('y') }] },
    from('y/'),
  ),
  ingress(
    'both selectors in one peer are an AND',
    { from: [{ namespaceSelector: ns('y', 'z'), podSelector: b }] },
    from('y/b', 'z/b'),
  ),
  ingress(
    'two peers are an OR',
    { from: [{ namespaceSelector: ns('y') }, { podSelector: b }] },
    from('y/', 'x/b'),
  ),
  ingress('both selectors empty mean all pods', { from: [everywhere] }, always),
  ingress('podSelector with In', { from: [{ podSelector: pods('b', 'c') }] }, from('x/b', 'x/c')),
  ingress(
    'podSelector with NotIn',
    { from: [{ podSelector: { matchExpressions: [{ key: 'pod', operator: 'NotIn', values: ['b'] }] } }] },
    from('x/a', 'x/c'),
  ),
  ingress(
    'NotIn matches pods without the label',
    { from: [{ podSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['web'] }] } }] },
    from('x/'),
  ),
  ingress(
    'Exists matches any value',
    { from: [{ podSelector: { matchExpressions: [{ key: 'pod', operator: 'Exists' }] } }] },
    from('x/'),
  ),
  ingress(
    'DoesNotExist matches none that has the label',
    { from: [{ podSelector: { matchExpressions: [{ key: 'pod', operator: 'DoesNotExist' }] } }] },
    never,
  ),
  ingress(
    'labels and expressions of a selector are an AND',
    { from: [{ podSelector: { ...b, ...pods('b', 'c') } }] },
    from('x/b'),
  ),
  ingress(
    'a namespace is found by its name, which the API sets as a label',
    { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'z' } } }] },
    from('z/'),
  ),
  ingress(
    'namespaceSelector with NotIn',
    {
      from: [{ namespaceSelector: { matchExpressions: [{ key: 'ns', operator: 'NotIn', values: ['x'] }] } }],
    },
    not(from('x/')),
  ),
  egress('egress to a podSelector means the own namespace', { to: [{ podSelector: b }] }, to('x/b')),
  egress('egress to a namespace', { to: [{ namespaceSelector: ns('y') }] }, to('y/')),
  egress(
    'egress to pods of a namespace',
    { to: [{ namespaceSelector: ns('y'), podSelector: pods('a') }] },
    to('y/a'),
  ),
  ingress('a selector of nobody lets nobody in', { from: [{ podSelector: pods('d') }] }, never),
]

const blocks: PolicyCase[] = [
  ingress(
    'an ipBlock holds pods by their addresses',
    { from: [{ ipBlock: { cidr: '10.2.0.0/16' } }] },
    from('y/'),
  ),
  ingress('an ipBlock of one address', { from: [{ ipBlock: { cidr: '10.2.0.2/32' } }] }, from('y/b')),
  ingress(
    'except takes addresses out of a block',
    { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.2.0.0/16', '10.3.0.1/32'] } }] },
    not(from('y/', 'z/a')),
  ),
  ingress(
    'another block lets in what one excepts',
    {
      from: [
        { ipBlock: { cidr: '10.0.0.0/8', except: ['10.2.0.0/16'] } },
        { ipBlock: { cidr: '10.2.0.3/32' } },
      ],
    },
    not(from('y/a', 'y/b')),
  ),
  ingress('a block of all IPv4 addresses', { from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }, always),
  ingress('a block of IPv6 holds no IPv4 address', { from: [{ ipBlock: { cidr: '::/0' } }] }, never),
  egress('egress to a block', { to: [{ ipBlock: { cidr: '10.3.0.0/30' } }] }, to('z/')),
  egress(
    'egress to a block with exceptions',
    { to: [{ ipBlock: { cidr: '10.3.0.0/24', except: ['10.3.0.1/32'] } }] },
    to('z/b', 'z/c'),
  ),
  ingress(
    'a block whose host bits are set means its network',
    { from: [{ ipBlock: { cidr: '10.2.0.9/16' } }] },
    from('y/'),
  ),
]

const ports: PolicyCase[] = [
  one(
    'a port opens that port alone',
    { ingress: [{ ports: [tcp(80)] }] },
    [tcp80, always],
    [tcp81, into('x/a', never)],
  ),
  one(
    'the protocol of a port is TCP by default',
    { ingress: [{ ports: [{ port: 80 }] }] },
    [tcp80, always],
    [udp80, into('x/a', never)],
  ),
  one(
    'a UDP port opens no TCP',
    { ingress: [{ ports: [{ protocol: 'UDP', port: 80 }] }] },
    [udp80, always],
    [tcp80, into('x/a', never)],
  ),
  one(
    'an SCTP port opens no TCP',
    { ingress: [{ ports: [{ protocol: 'SCTP', port: 80 }] }] },
    [sctp80, always],
    [tcp80, into('x/a', never)],
  ),
  one(
    'a protocol without a port opens all its ports',
    { ingress: [{ ports: [{ protocol: 'TCP' }] }] },
    [tcp80, always],
    [tcp81, always],
    [udp80, into('x/a', never)],
  ),
  one(
    'endPort makes a range with both ends',
    { ingress: [{ ports: [tcp(79, 81)] }] },
    [tcp80, always],
    [tcp81, always],
  ),
  one(
    'a range ends where it says',
    { ingress: [{ ports: [tcp(70, 80)] }] },
    [tcp80, always],
    [tcp81, into('x/a', never)],
  ),
  one(
    'a named port is looked up at the pod',
    { ingress: [{ ports: [tcp('serve-81-tcp')] }] },
    [tcp81, always],
    [tcp80, into('x/a', never)],
  ),
  one(
    'the name of a port belongs to its protocol',
    { ingress: [{ ports: [{ protocol: 'UDP', port: 'serve-80-tcp' }] }] },
    [udp80, into('x/a', never)],
    [tcp80, into('x/a', never)],
  ),
  one('a name that no port has opens nothing', { ingress: [{ ports: [tcp('http')] }] }, [
    tcp80,
    into('x/a', never),
  ]),
  one('an empty list of ports means all', { ingress: [{ ports: [] }] }, [tcp80, always], [udp80, always]),
  one(
    'several ports are an OR',
    { ingress: [{ ports: [tcp(80), tcp(81)] }] },
    [tcp80, always],
    [tcp81, always],
  ),
  one(
    'ports and peers of a rule are an AND',
    { ingress: [{ from: [{ podSelector: b }], ports: [tcp(81)] }] },
    [tcp80, into('x/a', never)],
    [tcp81, into('x/a', from('x/b'))],
  ),
  one(
    'two rules do not mix their ports and peers',
    {
      ingress: [
        { from: [{ podSelector: b }], ports: [tcp(80)] },
        { from: [{ namespaceSelector: ns('y') }], ports: [tcp(81)] },
      ],
    },
    [tcp80, into('x/a', from('x/b'))],
    [tcp81, into('x/a', from('y/'))],
  ),
  one(
    'a named port of egress is looked up at the pod that receives',
    { policyTypes: ['Egress'], egress: [{ ports: [tcp('serve-80-tcp')] }] },
    [tcp80, always],
    [tcp81, outOf('x/a', never)],
  ),
  one(
    'egress on a port',
    { policyTypes: ['Egress'], egress: [{ ports: [tcp(80)] }] },
    [tcp80, always],
    [tcp81, outOf('x/a', never)],
  ),
]

const several: PolicyCase[] = [
  {
    title: 'policies add up',
    policies: [
      policy({ ingress: [{ from: [{ podSelector: b }] }] }, 'one'),
      policy({ ingress: [{ from: [{ namespaceSelector: ns('z') }] }] }, 'two'),
    ],
    open: [[tcp80, into('x/a', from('x/b', 'z/'))]],
  },
  {
    title: 'a policy without rules takes nothing away',
    policies: [policy({ podSelector: {} }, 'deny'), policy({ ingress: [{ from: [everywhere] }] }, 'allow')],
    open: [[tcp80, into('x/b x/c', never)]],
  },
  {
    title: 'both ends have to agree',
    policies: [
      policy({ policyTypes: ['Egress'], egress: [{ to: [{ namespaceSelector: ns('y') }] }] }, 'out'),
      policy({ podSelector: b, ingress: [{ from: [{ namespaceSelector: ns('z') }] }] }, 'in', 'y'),
    ],
    open: [[tcp80, (a, t) => outOf('x/a', to('y/'))(a, t) && into('y/b', from('z/'))(a, t)]],
  },
  {
    title: 'an allowed egress does not open ingress',
    policies: [
      policy({ policyTypes: ['Egress'], egress: [{}] }, 'out'),
      policy({ podSelector: b }, 'in', 'y'),
    ],
    open: [[tcp80, into('y/b', never)]],
  },
  {
    title: 'the ports of two policies add up',
    policies: [
      policy({ ingress: [{ ports: [tcp(80)] }] }, 'one'),
      policy({ ingress: [{ from: [{ podSelector: b }], ports: [tcp(81)] }] }, 'two'),
    ],
    open: [
      [tcp80, always],
      [tcp81, into('x/a', from('x/b'))],
    ],
  },
  {
    title: 'one direction closed leaves the other as it is',
    policies: [policy({ podSelector: {}, policyTypes: ['Egress'] }, 'out'), policy({ ingress: [{}] }, 'in')],
    open: [[tcp80, outOf(allX, never)]],
  },
  {
    title: 'policies of two namespaces do not mix',
    policies: [
      policy({ podSelector: {} }, 'deny', 'y'),
      policy({ podSelector: {}, ingress: [{}] }, 'deny', 'z'),
    ],
    open: [[tcp80, into('y/a y/b y/c', never)]],
  },
]

/** Cases made from the specification of NetworkPolicy and from what upstream's tests of it assert. */
export const policyCases: readonly PolicyCase[] = [...isolation, ...peers, ...blocks, ...ports, ...several]
