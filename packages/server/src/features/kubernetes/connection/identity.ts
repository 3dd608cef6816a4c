import type { OutgoingHttpHeaders } from 'node:http'

/** Whom a request speaks for in a cluster (Kubernetes' user impersonation). */
export type Identity = { user: string; groups: string[]; uid?: string; extra?: Record<string, string[]> }

/** The Impersonate headers that represent an identity. */
export function identityHeaders({ user, groups, uid, extra = {} }: Identity): OutgoingHttpHeaders {
  return {
    'impersonate-user': user,
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
        values,
      ]),
    ),
  }
}
