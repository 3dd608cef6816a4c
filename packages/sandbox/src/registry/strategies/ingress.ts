import { isIP } from 'node:net'
import { field, type Cause } from '../../status-error.ts'
import { ingressClasses, ingresses, type Ingress } from '../../types.ts'
import { checkName } from '../names.ts'
import { strategy } from '../strategy.ts'
import { checkPort, checkPortName } from './container-validation.ts'

type Backend = NonNullable<Ingress['spec']['defaultBackend']>
type Path = NonNullable<NonNullable<Ingress['spec']['rules']>[number]['http']>['paths'][number]

const isDefault = 'ingressclass.kubernetes.io/is-default-class'
const oldClass = 'kubernetes.io/ingress.class'

const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** A host name, whose first part may be `*`. */
function checkHost(host: string, path: string): Cause[] {
  if (!host.includes('*')) return checkName(host, 'subdomain', path)
  return /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(host)
    ? []
    : [field.invalid(path, host, wildcardText)]
}

function checkService(service: NonNullable<Backend['service']>, path: string): Cause[] {
  const causes = service.name
    ? checkName(service.name, 'label1035', `${path}.service.name`)
    : [field.required(`${path}.service.name`)]
  const { name, number } = service.port ?? {}
  if (name && number) causes.push(field.invalid(path, '', 'cannot set both port name & port number'))
  else if (name) causes.push(...checkPortName(name, `${path}.service.port.name`))
  else if (number) causes.push(...checkPort(number, `${path}.service.port.number`))
  else causes.push(field.required(path, 'port name or number is required'))
  return causes
}

function checkBackend(backend: Backend | undefined, path: string): Cause[] {
  const { resource, service } = backend ?? {}
  if (resource && service) return [field.invalid(path, '', 'cannot set both resource and service backends')]
  if (service) return checkService(service, path)
  if (!resource) return [field.invalid(path, '', 'resource or service backend is required')]
  const causes: Cause[] = []
  if (!resource.kind) causes.push(field.required(`${path}.resource.kind`, 'kind is required'))
  if (!resource.name) causes.push(field.required(`${path}.resource.name`, 'name is required'))
  return causes
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']

function checkPathText({ path: text = '', pathType }: Path, path: string): Cause[] {
  const isFree = pathType === 'ImplementationSpecific'
  if (isFree && text === '') return []
  const causes: Cause[] = []
  if (!text.startsWith('/')) causes.push(field.invalid(path, text, 'must be an absolute path'))
  if (isFree) return causes
  for (const part of ['//', '/./', '/../', '%2f', '%2F'])
    if (text.includes(part)) causes.push(field.invalid(path, text, `must not contain '${part}'`))
  for (const end of ['/..', '/.'])
    if (text.endsWith(end)) causes.push(field.invalid(path, text, `cannot end with '${end}'`))
  return causes
}

function checkPath(one: Path, path: string): Cause[] {
  if (!one.pathType) return [field.required(`${path}.pathType`, 'pathType must be specified')]
  const causes = pathTypes.includes(one.pathType)
    ? checkPathText(one, `${path}.path`)
    : [field.unsupported(`${path}.pathType`, one.pathType, pathTypes)]
  return [...causes, ...checkBackend(one.backend, `${path}.backend`)]
}

function checkIngress({ metadata, spec }: Ingress): Cause[] {
  const causes: Cause[] = []
  const rules = spec.rules ?? []
  if (rules.length === 0 && !spec.defaultBackend) {
    causes.push(field.invalid('spec', [], 'either `defaultBackend` or `rules` must be specified'))
  }
  if (spec.defaultBackend) causes.push(...checkBackend(spec.defaultBackend, 'spec.defaultBackend'))
  for (const [i, rule] of rules.entries()) {
    const host = `spec.rules[${i}].host`
    if (rule.host && isIP(rule.host))
      causes.push(field.invalid(host, rule.host, 'must be a DNS name, not an IP address'))
    else if (rule.host) causes.push(...checkHost(rule.host, host))
    const paths = `spec.rules[${i}].http.paths`
    if (rule.http?.paths.length === 0) causes.push(field.required(paths))
    for (const [j, one] of (rule.http?.paths ?? []).entries())
      causes.push(...checkPath(one, `${paths}[${j}]`))
  }
  for (const [i, { hosts = [], secretName }] of (spec.tls ?? []).entries()) {
    for (const [j, host] of hosts.entries()) causes.push(...checkHost(host, `spec.tls[${i}].hosts[${j}]`))
    if (secretName) causes.push(...checkName(secretName, 'subdomain', `spec.tls[${i}].secretName`))
  }
  if (spec.ingressClassName !== undefined)
    causes.push(...checkName(spec.ingressClassName, 'subdomain', 'spec.ingressClassName'))
  const old = metadata.annotations?.[oldClass]
  if (old !== undefined && spec.ingressClassName !== undefined && old !== spec.ingressClassName) {
    const text = 'must match `ingressClassName` when both are specified'
    causes.push(field.invalid(`metadata.annotations.${oldClass}`, old, text))
  }
  return causes
}

export const ingressStrategy = strategy(ingresses, {
  prepareCreate(ingress, context) {
    ingress.status = { loadBalancer: {} }
    if (ingress.spec.ingressClassName !== undefined || ingress.metadata.annotations?.[oldClass]) return
    const found = context.store
      .list(ingressClasses)
      .find((one) => one.metadata.annotations?.[isDefault] === 'true')
    if (found) ingress.spec.ingressClassName = found.metadata.name
  },
  validate: checkIngress,
})
