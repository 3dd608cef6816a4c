import { parseCidr, parseIp } from '../../cel/ip-address.ts'
import { equal } from '../../json.ts'
import { field, type Cause } from '../../status-error.ts'
import { ipAddresses, serviceRanges, type IPAddress, type ServiceCIDR } from '../../types.ts'
import { strategy } from '../strategy.ts'

const finalizer = 'networking.k8s.io/service-cidr-finalizer'
const frozen = 'field is immutable'

function checkAddress({ metadata: { name }, spec }: IPAddress): Cause[] {
  const causes: Cause[] = []
  if (parseIp(name)?.toString() !== name)
    causes.push(field.invalid('metadata.name', name, 'must be a valid IP address in canonical form'))
  if (!spec.parentRef.resource) causes.push(field.required('spec.parentRef.resource'))
  if (!spec.parentRef.name) causes.push(field.required('spec.parentRef.name'))
  return causes
}

function checkRange({ spec }: ServiceCIDR): Cause[] {
  const { cidrs = [] } = spec
  if (cidrs.length === 0) return [field.required('spec.cidrs', 'at least one CIDR required')]
  if (cidrs.length > 2) return [field.invalid('spec', spec, 'may only hold up to 2 values')]
  return cidrs.flatMap((text, i) => {
    const path = `spec.cidrs[${i}]`
    const parsed = parseCidr(text)
    if (!parsed)
      return [field.invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    const masked = parsed.masked().toString()
    if (masked === text) return []
    const whole = `must not have bits set beyond the prefix length: should be ${JSON.stringify(masked)}`
    return [field.invalid(path, text, whole)]
  })
}

/** Addresses and ranges of services, as the API reference of networking.k8s.io/v1 has them. */
export const addressStrategies = [
  strategy(ipAddresses, {
    name: 'path',
    validate: checkAddress,
    validateUpdate: ({ spec }, old) =>
      equal(spec.parentRef, old.spec.parentRef)
        ? []
        : [field.invalid('spec.parentRef', spec.parentRef, frozen)],
  }),
  strategy(serviceRanges, {
    prepareCreate(range) {
      const { finalizers = [] } = range.metadata
      range.metadata.finalizers = [...new Set([...finalizers, finalizer])]
    },
    validate: checkRange,
    validateUpdate: ({ spec }, old) =>
      equal(spec.cidrs, old.spec.cidrs) ? [] : [field.invalid('spec.cidrs', spec.cidrs, frozen)],
  }),
]
