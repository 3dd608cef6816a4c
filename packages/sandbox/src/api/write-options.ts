import type { KubeObject } from '../types.ts'
import type { JsonObject } from '../json.ts'
import { isDryRun, warnClient, type ApiRequest } from './request.ts'
import type { WriteOptions } from './resources.ts'

export function writeOptions(call: ApiRequest): WriteOptions {
  const { subresource, admittedAs } = call
  return {
    dryRun: isDryRun(call.query),
    user: call.user.name,
    groups: call.user.groups,
    warn: warnClient(call),
    ...(subresource ? { subresource } : {}),
    ...(admittedAs ? { admittedAs } : {}),
  }
}

/** Objects as clients send them are typed only loosely; the coder has checked them against their model. */
export function asObject(value: JsonObject): KubeObject {
  return value as KubeObject
}
