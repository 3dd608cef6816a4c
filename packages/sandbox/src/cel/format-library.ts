import type { Environment, Optional } from '@marcbachmann/cel-js'
import { parse as parseUri } from './url-library.ts'

type Check = (text: string) => string | undefined

/** One of the named formats, such as `dns1123Label`. */
class Format {
  readonly check: Check

  constructor(check: Check) {
    this.check = check
  }
}

/** Carries the functions of `format`. */
class Formats {}

function shaped(pattern: RegExp, longest: number, text: string): Check {
  return (value) => {
    if (value.length > longest) return `must be no more than ${longest} characters`
    return pattern.test(value) ? undefined : text
  }
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelText = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character`
const subdomainText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`
const oldText = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character`
const namePart = shaped(
  new RegExp(`^${qualified}$`),
  63,
  `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
)
const subdomain = shaped(new RegExp(`^${label}(\\.${label})*$`), 253, subdomainText)

const qualifiedName: Check = (text) => {
  const parts = text.split('/')
  if (parts.length > 2) return "a qualified name has at most one '/'"
  const [name = '', prefix] = parts.toReversed()
  if (prefix === '') return 'prefix part must be non-empty'
  return (prefix === undefined ? undefined : subdomain(prefix)) ?? namePart(name)
}

const day = /^(\d{4})-(\d\d)-(\d\d)$/
const isDay: Check = (text) => {
  const date = day.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
    ? undefined
    : 'invalid date'
}
const isMoment: Check = (text) => {
  const [, date = ''] =
    /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.exec(text) ?? []
  return isDay(date) === undefined ? undefined : 'invalid datetime'
}

const checks: Readonly<Record<string, Check>> = {
  dns1123Label: shaped(new RegExp(`^${label}$`), 63, labelText),
  dns1123Subdomain: subdomain,
  dns1035Label: shaped(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 63, oldText),
  qualifiedName,
  dns1123LabelPrefix: shaped(/^[a-z0-9]([-a-z0-9]*)?$/, 63, labelText),
  dns1123SubdomainPrefix: shaped(/^[a-z0-9]([-a-z0-9.]*)?$/, 253, subdomainText),
  dns1035LabelPrefix: shaped(/^[a-z]([-a-z0-9]*)?$/, 63, oldText),
  labelValue: shaped(
    new RegExp(`^(${qualified})?$`),
    63,
    `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
  ),
  uri: (text) => (parseUri(text) ? undefined : 'invalid URI'),
  uuid: shaped(
    /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
    36,
    'does not match the UUID format',
  ),
  byte: shaped(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, Infinity, 'invalid base64'),
  date: isDay,
  datetime: isMoment,
}

/** The named formats of Kubernetes' expressions. */
export function addFormatLibrary(environment: Environment, optional: typeof Optional): Environment {
  const named = (name: string) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    return check ? optional.of(new Format(check)) : optional.none()
  }
  const validate = ({ check }: Format, text: string) => {
    const problem = check(text)
    return problem === undefined ? optional.none() : optional.of([problem])
  }
  environment
    .registerType('Format', { ctor: Format, fields: {} })
    .registerType('Formats', { ctor: Formats, fields: {} })
    .registerConstant('format', 'Formats', new Formats())
    .registerFunction('Formats.named(string): optional<Format>', (_self: Formats, name: string) =>
      named(name),
    )
    .registerFunction('Format.validate(string): optional<list<string>>', validate)
  for (const [name, check] of Object.entries(checks))
    environment.registerFunction(`Formats.${name}(): Format`, () => new Format(check))
  return environment
}
