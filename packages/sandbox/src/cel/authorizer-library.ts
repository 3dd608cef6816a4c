import type { Environment } from '@marcbachmann/cel-js'
import { isAllowed, type Attributes } from '../authz/rbac.ts'
import type { User } from '../http/authenticate.ts'
import type { Store } from '../store/store.ts'

/** Answers what somebody may do, for expressions: `authorizer.group('').resource('pods').check('create')`. */
export class Authorizer {
  readonly store: Store
  readonly user: User
  /** The check of the very write that is judged. */
  readonly requestResource: ResourceCheck

  constructor(store: Store, user: User, resource: Partial<Resource> = {}) {
    this.store = store
    this.user = user
    this.requestResource = new ResourceCheck(this, { ...nothing, ...resource })
  }
}

type Resource = { group: string; resource: string; subresource: string; namespace: string; name: string }

const nothing: Resource = { group: '', resource: '', subresource: '', namespace: '', name: '' }

class PathCheck {
  readonly authorizer: Authorizer
  readonly path: string

  constructor(authorizer: Authorizer, path: string) {
    this.authorizer = authorizer
    this.path = path
  }
}

class GroupCheck {
  readonly authorizer: Authorizer
  readonly group: string

  constructor(authorizer: Authorizer, group: string) {
    this.authorizer = authorizer
    this.group = group
  }
}

class ResourceCheck {
  readonly authorizer: Authorizer
  readonly resource: Resource

  constructor(authorizer: Authorizer, resource: Resource) {
    this.authorizer = authorizer
    this.resource = resource
  }

  with(more: Partial<Resource>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.resource, ...more })
  }
}

class Decision {
  readonly isAllowed: boolean

  constructor({ store, user }: Authorizer, asked: Attributes) {
    this.isAllowed = isAllowed(store, user, asked)
  }
}

function ofServiceAccount({ store }: Authorizer, namespace: string, name: string): Authorizer {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  return new Authorizer(store, { name: `system:serviceaccount:${namespace}:${name}`, groups })
}

/** The functions of Kubernetes' expressions that ask for the rights of who writes. */
export function addAuthorizerLibrary(environment: Environment): Environment {
  environment
    .registerType('PathCheck', { ctor: PathCheck, fields: {} })
    .registerType('GroupCheck', { ctor: GroupCheck, fields: {} })
    .registerType('ResourceCheck', { ctor: ResourceCheck, fields: {} })
    .registerType('Decision', { ctor: Decision, fields: {} })
    .registerType('Authorizer', { ctor: Authorizer, fields: { requestResource: 'ResourceCheck' } })
    .registerFunction(
      'Authorizer.path(string): PathCheck',
      (self: Authorizer, path: string) => new PathCheck(self, path),
    )
    .registerFunction(
      'Authorizer.group(string): GroupCheck',
      (self: Authorizer, group: string) => new GroupCheck(self, group),
    )
    .registerFunction('Authorizer.serviceAccount(string, string): Authorizer', ofServiceAccount)
    .registerFunction(
      'GroupCheck.resource(string): ResourceCheck',
      ({ authorizer, group }: GroupCheck, resource: string) =>
        new ResourceCheck(authorizer, { ...nothing, group, resource }),
    )
    .registerFunction(
      'PathCheck.check(string): Decision',
      ({ authorizer, path }: PathCheck, verb: string) => new Decision(authorizer, { verb, path }),
    )
    .registerFunction(
      'ResourceCheck.check(string): Decision',
      ({ authorizer, resource }: ResourceCheck, verb: string) =>
        new Decision(authorizer, { verb, ...resource }),
    )
    .registerFunction('Decision.allowed(): bool', (one: Decision) => one.isAllowed)
    .registerFunction('Decision.reason(): string', (one: Decision) => (one.isAllowed ? 'RBAC: allowed' : ''))
    .registerFunction('Decision.errored(): bool', () => false)
    .registerFunction('Decision.error(): string', () => '')
  for (const part of ['subresource', 'namespace', 'name'] as const) {
    environment.registerFunction(
      `ResourceCheck.${part}(string): ResourceCheck`,
      (check: ResourceCheck, value: string) => check.with({ [part]: value }),
    )
  }
  // Roles know no selectors: a check with one asks for the right to all.
  for (const part of ['fieldSelector', 'labelSelector'])
    environment.registerFunction(
      `ResourceCheck.${part}(string): ResourceCheck`,
      (check: ResourceCheck) => check,
    )
  return environment
}
