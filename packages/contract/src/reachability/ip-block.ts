import { networkCovers, parseIpNetwork, type IpNetwork } from './ip-network.ts'
import type { IpBlock } from './policy.ts'
import type { CompiledBlock } from './rule.ts'

const overlaps = (a: IpNetwork, b: IpNetwork) => networkCovers(a, b) || networkCovers(b, a)

/** Compiles a block, or answers the sentence that says what is wrong with it. */
export function compileBlock({ cidr, except = [] }: IpBlock): CompiledBlock | string {
  const network = parseIpNetwork(cidr)
  if (network === undefined)
    return `"${cidr}" is not a network such as 10.0.0.0/8 or 2001:db8::/32; it matches nothing.`
  const inner: IpNetwork[] = []
  for (const text of except) {
    const one = parseIpNetwork(text)
    if (one === undefined) return `The exception "${text}" is not a network such as 10.1.0.0/16.`
    if (!networkCovers(network, one) || one.prefix === network.prefix)
      return `The exception ${text} does not lie within ${cidr}.`
    inner.push(one)
  }
  return {
    network,
    except: inner,
    text: except.length === 0 ? cidr : `${cidr} except ${except.join(', ')}`,
  }
}

/** Whether a block holds a network: `some` where only a part of its addresses. */
export function blockHolds({ network, except }: CompiledBlock, asked: IpNetwork): 'all' | 'some' | 'none' {
  if (!overlaps(network, asked) || except.some((one) => networkCovers(one, asked))) return 'none'
  return networkCovers(network, asked) && !except.some((one) => overlaps(one, asked)) ? 'all' : 'some'
}

/** Whether every address of `inner` is in `outer`. */
export function blockCovers(outer: CompiledBlock, inner: CompiledBlock): boolean {
  const isExcepted = (one: IpNetwork) => inner.except.some((each) => networkCovers(each, one))
  return (
    networkCovers(outer.network, inner.network) &&
    outer.except.every((one) => !overlaps(one, inner.network) || isExcepted(one))
  )
}
