import { auditDidText } from '@bey/contract'
import { z } from 'zod'
import { readTool } from '../tool.ts'
import { beyond } from './objects.ts'

const nullableText = z.string().nullable()

export const listMembers = readTool({
  name: 'list_members',
  title: 'List members',
  description:
    'Members of the organization with role, second factor and when they were last here, for a review of access.',
  needs: ['organization.read'],
  input: { limit: z.number().int().min(1).max(200).default(100) },
  output: {
    members: z.array(
      z.object({
        name: z.string(),
        email: z.string(),
        role: z.string(),
        secondFactor: z.string(),
        joinedAt: z.string(),
        lastSeenAt: nullableText,
      }),
    ),
  },
  async run({ call }, query) {
    const { members, total } = await call('members.list', { query })
    return {
      summary: `${total} members.`,
      members: members.map(({ name, email, role, secondFactor, joinedAt, lastSeenAt }) => ({
        name,
        email,
        role,
        secondFactor,
        joinedAt,
        lastSeenAt,
      })),
      leftOut: beyond('members', members.length, total),
    }
  },
})

export const listApiKeys = readTool({
  name: 'list_api_keys',
  title: 'List API keys',
  description:
    'API keys that the caller may see: whose they are, what they may do and when they were used last. Never their secrets.',
  needs: ['apiKeys.read'],
  input: { limit: z.number().int().min(1).max(200).default(100) },
  output: {
    keys: z.array(
      z.object({
        name: z.string(),
        owner: nullableText,
        role: z.string(),
        permissions: z.array(z.string()),
        limitedTo: z.array(z.string()),
        allowedAddresses: z.array(z.string()),
        status: z.string(),
        expiresAt: nullableText,
        lastUsedAt: nullableText,
      }),
    ),
  },
  async run({ call }, query) {
    const { keys, total } = await call('apiKeys.list', { query })
    return {
      summary: `${total} API keys.`,
      keys: keys.map(({ name, owner, role, permissions, resources, ...key }) => ({
        name,
        owner: owner && `${owner.name} <${owner.email}>`,
        role,
        permissions,
        limitedTo: resources.map((each) => `${each.type} ${each.name ?? each.id}`),
        allowedAddresses: key.allowedAddresses,
        status: key.status,
        expiresAt: key.expiresAt,
        lastUsedAt: key.lastUsedAt,
      })),
      leftOut: beyond('keys', keys.length, total),
    }
  },
})

export const readAudit = readTool({
  name: 'read_audit_log',
  title: 'Read the audit log',
  description:
    'Who did what, newest first: filter by part of a name, by outcome (denied shows refusals) and by time.',
  needs: ['audit.read'],
  input: {
    search: z.string().max(100).optional().describe('Part of the name of an actor, an action or a target.'),
    outcome: z.enum(['success', 'failure', 'denied', 'unknown']).optional(),
    minutes: z.number().int().min(1).max(525_600).default(1_440),
    limit: z.number().int().min(1).max(200).default(50),
  },
  output: {
    entries: z.array(
      z.object({
        at: z.string(),
        actor: z.string(),
        via: z.string(),
        action: z.string(),
        text: z.string(),
        target: nullableText,
        object: nullableText,
        outcome: z.string(),
        reason: nullableText,
        ip: nullableText,
      }),
    ),
  },
  async run({ call, now }, { minutes, ...query }) {
    const from = new Date(now().getTime() - minutes * 60_000).toISOString()
    const { entries, nextCursor, total } = await call('audit.list', { query: { ...query, from } })
    return {
      summary: `${total ?? entries.length} entries in the last ${minutes} minutes.`,
      entries: entries.map(({ at, actor, via, action, target, object, outcome, reason, ip }) => ({
        at,
        actor: actor.name,
        via,
        action,
        text: auditDidText({ action, object, outcome }),
        target: target && `${target.type} ${target.name ?? target.id ?? ''}`.trim(),
        object,
        outcome,
        reason,
        ip,
      })),
      leftOut:
        nextCursor === null
          ? []
          : [`entries: the newest ${entries.length}. Ask for a shorter time, or filter.`],
    }
  },
})

export const listAlerts = readTool({
  name: 'list_alerts',
  title: 'List alerts',
  description: 'Alerts of the organization, what fires first, with who has acknowledged it.',
  needs: ['alerts.read'],
  input: { limit: z.number().int().min(1).max(200).default(50) },
  output: {
    alerts: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        state: z.string(),
        since: nullableText,
        firing: z.number(),
        acknowledgedBy: nullableText,
        silencedUntil: nullableText,
        error: nullableText,
      }),
    ),
  },
  async run({ call }, query) {
    const { alerts, total } = await call('alerts.list', { query })
    const firing = alerts.filter(({ state }) => state === 'firing').length
    return {
      summary: `${total} alerts, ${firing} of them fire.`,
      alerts: alerts.map(({ id, name, state, since, firingCount, acknowledgedBy, silence, error }) => ({
        id,
        name,
        state,
        since,
        firing: firingCount,
        acknowledgedBy: acknowledgedBy?.name ?? null,
        silencedUntil: silence?.until ?? null,
        error,
      })),
      leftOut: beyond('alerts', alerts.length, total),
    }
  },
})
