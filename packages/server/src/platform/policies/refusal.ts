import { isWithin } from '../outbound/networks.ts'

/** Whom an organization lets in, and from where; an empty list allows everybody. */
export type AccessPolicies = {
  /** Domains of e-mail addresses, in lower case. */
  domains: readonly string[]
  /** In CIDR notation. */
  networks: readonly string[]
}

type Visitor = {
  email: string
  /** Undefined where it was checked before. */
  ip: string | undefined
}

/** Why an organization's policies keep somebody out, as a sentence; undefined where they do not. */
export function policyRefusal(policies: AccessPolicies | null, { email, ip }: Visitor): string | undefined {
  if (policies === null) return undefined
  const { domains, networks } = policies
  const domain = domainOf(email)
  if (domains.length > 0 && !domains.includes(domain)) {
    return `This organization admits addresses of ${domains.join(', ')} only, and yours is of ${domain}. Log in with another account, or ask an owner of the organization.`
  }
  if (ip !== undefined && networks.length > 0 && !isWithin(networks, ip)) {
    return `This organization is reached from certain networks only, and your address ${ip} is in none of them. Connect from one, or ask an owner of the organization.`
  }
  return undefined
}

/** What follows the last @, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
