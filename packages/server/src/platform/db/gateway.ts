import type { Role } from '@bey/contract/base/permissions'
import type pg from 'pg'

import type { Impersonator } from '../audit/impersonation.ts'
import type { AccessPolicies } from '../policies/refusal.ts'
import { unavailable } from './failure.ts'

export type SessionIdentity = {
  sessionId: string
  userId: number
  email: string
  name: string
  activeOrganizationId: number | null
  /** The organization asked for, else the active one, else the first; null if there is none or it is not theirs. */
  organizationId: number | null
  organizationName: string | null
  /** While the organization waits to be deleted: when that happens. */
  organizationDeletesAt: Date | null
  role: Role | null
  expiresAt: Date
  /** Of an impersonated session; null of any other. */
  impersonatorName: string | null
  impersonatorId: number | null
  impersonatorEmail: string | null
  policies: AccessPolicies | null
  /** When the user last proved who they are. */
  confirmedAt: Date
  /** How the session began, such as `password`. */
  method: string
}

/**
 * Who holds this session, in one query; also slides its expiry. Undefined: log in again. `countsAsUse` is false for a
 * connection that stays open and for what an unattended page asks: nobody is at work for that reason.
 */
export async function authenticateSession(
  pool: pg.Pool,
  tokenHash: Buffer,
  requestedOrganizationId: number | undefined,
  countsAsUse = true,
): Promise<SessionIdentity | undefined> {
  const rows = await ask<SessionIdentity>(pool, 'authenticate_session', sessionSql, [
    tokenHash,
    requestedOrganizationId ?? null,
    countsAsUse,
  ])
  return rows[0]
}

/** Who is really there, if a session is an impersonated one. */
export function impersonatorOf(session: SessionIdentity): Impersonator | undefined {
  const { impersonatorId: id, impersonatorName: name, impersonatorEmail: email } = session
  return name === null ? undefined : { id, name, email }
}

/** The organization of a cluster that has not been deleted, for who brings a token that the cluster issued itself. */
export async function findClusterOrganization(pool: pg.Pool, clusterId: number): Promise<number | undefined> {
  const rows = await ask<{ organizationId: number }>(
    pool,
    'find_cluster_organization',
    'select organization_id as "organizationId" from find_cluster_organization($1)',
    [clusterId],
  )
  return rows[0]?.organizationId
}

/** The organization of the webhook of a workflow, whose sender has no account. */
export async function findTriggerOrganization(pool: pg.Pool, triggerId: string): Promise<number | undefined> {
  const rows = await ask<{ organizationId: number }>(
    pool,
    'find_trigger_organization',
    'select organization_id as "organizationId" from find_trigger_organization($1)',
    [triggerId],
  )
  return rows[0]?.organizationId
}

/** The invitation of a link and its organization, for a caller who is not a member yet; undefined for other tokens. */
export async function findInvitation(
  pool: pg.Pool,
  tokenHash: Buffer,
): Promise<{ invitationId: string; organizationId: number } | undefined> {
  const rows = await ask<{ invitationId: string; organizationId: number }>(
    pool,
    'find_invitation',
    'select invitation_id as "invitationId", organization_id as "organizationId" from find_invitation($1)',
    [tokenHash],
  )
  return rows[0]
}

/** The organization of a one-time link, for a caller who is not logged in. */
export async function findShareOrganization(pool: pg.Pool, shareId: string): Promise<number | undefined> {
  const rows = await ask<{ organizationId: number }>(
    pool,
    'find_share_organization',
    'select organization_id as "organizationId" from find_share_organization($1)',
    [shareId],
  )
  return rows[0]?.organizationId
}

/** The organization of a link to an issue of a report, while it is neither revoked nor expired. */
export async function findReportLinkOrganization(
  pool: pg.Pool,
  tokenHash: Buffer,
): Promise<number | undefined> {
  const rows = await ask<{ organizationId: number }>(
    pool,
    'find_report_link_organization',
    'select organization_id as "organizationId" from find_report_link_organization($1)',
    [tokenHash],
  )
  return rows[0]?.organizationId
}

export type AccessTicket = { tokenHash: Buffer; organizationId: number; clusterId: number; path: string }

/** What a ticket represents; undefined if it is unknown, expired, or its session has ended. One for a stream is used up. */
export async function takeAccessTicket(
  pool: pg.Pool,
  ticketHash: Buffer,
  kind: 'stream' | 'service',
): Promise<AccessTicket | undefined> {
  const rows = await ask<AccessTicket>(
    pool,
    'use_access_ticket',
    `select token_hash as "tokenHash", organization_id as "organizationId", cluster_id as "clusterId", path
     from use_access_ticket($1, $2)`,
    [ticketHash, kind],
  )
  return rows[0]
}

export type KubeconfigIdentity = {
  tokenId: string
  userId: number
  email: string
  name: string
  organizationId: number
  organizationName: string
  clusterId: number
  /** The member's role at this moment. */
  role: Role
  expiresAt: Date
  policies: AccessPolicies | null
}

/** Who holds this kubeconfig token and for which cluster; undefined if unknown, expired, revoked or no longer a member. */
export async function authenticateKubeconfigToken(
  pool: pg.Pool,
  tokenHash: Buffer,
): Promise<KubeconfigIdentity | undefined> {
  const rows = await ask<KubeconfigIdentity>(pool, 'authenticate_kubeconfig_token', kubeconfigSql, [
    tokenHash,
  ])
  return rows[0]
}

export type ApiKeyIdentity = {
  keyId: string
  secretId: string
  name: string
  isPersonal: boolean
  /** In whose name it acts: its owner, or who made it for the organization. */
  userId: number
  email: string
  userName: string
  organizationId: number
  organizationName: string
  /** The owner's at this moment, or the one that a key of the organization was made with. */
  role: Role
  /** Separated by spaces: PostgreSQL's arrays are slow to read, and a key may hold all permissions. */
  permissions: string
  resources: { type: string; id: string }[]
  allowedAddresses: string[]
  policies: AccessPolicies | null
  requestsPerMinute: number | null
  /** When the key, or this secret of it, ends. */
  expiresAt: Date | null
  /** While the organization waits to be deleted: when that happens. */
  organizationDeletesAt: Date | null
}

/** Whose API key this is, in one query; undefined if unknown, expired, revoked, replaced, or its owner no longer a member. */
export async function authenticateApiKey(
  pool: pg.Pool,
  tokenHash: Buffer,
): Promise<ApiKeyIdentity | undefined> {
  const rows = await ask<ApiKeyIdentity>(pool, 'authenticate_api_key', apiKeySql, [tokenHash])
  return rows[0]
}

export type MyOrganization = { id: number; name: string; role: Role; createdAt: Date }

/** The organizations that a user belongs to, by id. */
export function myOrganizations(pool: pg.Pool, userId: number): Promise<MyOrganization[]> {
  return ask<MyOrganization>(pool, 'my_organizations', organizationsSql, [userId])
}

export type Login = { userId: number; passwordHash: string | null; activeOrganizationId: number | null }

/** What logging in needs; undefined if no user has the address (then verify against the dummy hash). */
export async function findLogin(pool: pg.Pool, email: string): Promise<Login | undefined> {
  const rows = await ask<Login>(pool, 'find_login', loginSql, [email])
  return rows[0]
}

const sessionSql = `select session_id as "sessionId", user_id as "userId", email, name,
  active_organization_id as "activeOrganizationId", organization_id as "organizationId",
  organization_name as "organizationName", organization_deletes_at as "organizationDeletesAt", role,
  expires_at as "expiresAt", impersonator_name as "impersonatorName", impersonator_id as "impersonatorId",
  impersonator_email as "impersonatorEmail",
  confirmed_at as "confirmedAt", method, policies
from authenticate_session($1, $2, $3)`

const kubeconfigSql = `select token_id as "tokenId", user_id as "userId", email, name,
  organization_id as "organizationId", organization_name as "organizationName", cluster_id as "clusterId", role,
  expires_at as "expiresAt", policies
from authenticate_kubeconfig_token($1)`

const apiKeySql = `select key_id as "keyId", secret_id as "secretId", name, is_personal as "isPersonal",
  user_id as "userId", email, user_name as "userName", organization_id as "organizationId",
  organization_name as "organizationName", role, array_to_string(permissions, ' ') as permissions, resources, allowed_addresses as "allowedAddresses",
  policies, requests_per_minute as "requestsPerMinute", expires_at as "expiresAt",
  organization_deletes_at as "organizationDeletesAt"
from authenticate_api_key($1)`

const organizationsSql = `select id, name, role, created_at as "createdAt" from my_organizations($1)`

const loginSql = `select user_id as "userId", password_hash as "passwordHash",
  active_organization_id as "activeOrganizationId"
from find_login($1)`

async function ask<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await pool.query<Row>({ name, text, values })).rows
  } catch (error) {
    throw unavailable(error)
  }
}
