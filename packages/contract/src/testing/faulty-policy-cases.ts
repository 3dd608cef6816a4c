import { ingress, never, one, into, tcp, type PolicyCase } from './policy-case.ts'
import { tcp80 } from './network-facts.ts'

/** Cases that an API server refuses; here the wrong part matches nothing. */
export const faultyPolicyCases: readonly PolicyCase[] = [
  ingress('a network that is none matches nothing', { from: [{ ipBlock: { cidr: '10.2.0.0/33' } }] }, never),
  ingress(
    'a network without its length matches nothing',
    { from: [{ ipBlock: { cidr: '10.2.0.1' } }] },
    never,
  ),
  ingress(
    'a block with an exception outside of it matches nothing',
    { from: [{ ipBlock: { cidr: '10.2.0.0/16', except: ['10.3.0.0/24'] } }] },
    never,
  ),
  ingress('a peer without anything matches nothing', { from: [{}] }, never),
  ingress(
    'a peer with a block and a selector matches nothing',
    { from: [{ ipBlock: { cidr: '0.0.0.0/0' }, podSelector: {} }] },
    never,
  ),
  ingress(
    'an operator that does not exist matches nothing',
    { from: [{ podSelector: { matchExpressions: [{ key: 'pod', operator: 'Like', values: ['b'] }] } }] },
    never,
  ),
  one('a reversed range of ports opens nothing', { ingress: [{ ports: [tcp(81, 80)] }] }, [
    tcp80,
    into('x/a', never),
  ]),
  one('a port that is none opens nothing', { ingress: [{ ports: [tcp(0)] }] }, [tcp80, into('x/a', never)]),
  one('a protocol that is none opens nothing', { ingress: [{ ports: [{ protocol: 'ICMP', port: 80 }] }] }, [
    tcp80,
    into('x/a', never),
  ]),
]
