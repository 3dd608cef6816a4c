import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

const parameters = {
  period: 'last-week',
  timeZone: 'UTC',
  clusterIds: [],
  isCompared: false,
  hiddenSections: [],
} as const

const draft = () => ({ name: newName(), kind: 'secrets-age', parameters })

async function reportOf(world: World): Promise<SweepCall> {
  const { body } = await asOwner(world, 'POST', '/api/reports', draft())
  return { params: { id: body.id } }
}

async function issueOf(world: World): Promise<SweepCall> {
  const { params } = await reportOf(world)
  const id = String(params?.['id'])
  const { body } = await asOwner(world, 'POST', `/api/reports/${id}/issues`, undefined)
  return { params: { id, issueId: body.id } }
}

async function linkOf(world: World) {
  const { params } = await issueOf(world)
  const path = `/api/reports/${params?.['id']}/issues/${params?.['issueId']}/links`
  const { body } = await asOwner(world, 'POST', path, { expiresInDays: 1 })
  return { params, body }
}

export const sweepCalls: SweepCalls = {
  'reports.get': { call: reportOf },
  'reports.create': { call: () => ({ body: draft() }) },
  'reports.update': { call: async (world) => ({ ...(await reportOf(world)), body: { name: newName() } }) },
  'reports.delete': { call: reportOf },
  'reports.preview': { call: () => ({ body: { kind: 'secrets-age', parameters } }) },
  'reports.issue': { call: reportOf },
  'reports.issues': { call: reportOf },
  'reports.getIssue': { call: issueOf },
  'reports.markRead': { call: issueOf },
  'reports.file': { call: issueOf },
  'reports.links': { call: issueOf },
  'reports.createLink': {
    call: async (world) => ({ ...(await issueOf(world)), body: { expiresInDays: 1 } }),
  },
  'reports.revokeLink': {
    async call(world) {
      const { params, body } = await linkOf(world)
      return { params: { ...params, linkId: body.link.id } }
    },
  },
  'reports.openLink': {
    async call(world) {
      const { body } = await linkOf(world)
      return { params: { token: String(body.token) } }
    },
  },
}
