import { Readable } from 'node:stream'
import type { ReportLink } from '@bey/contract'
import { reportBounds } from '@bey/contract/reports/rules'
import { act, linkHolder } from '../../platform/act.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { findReportLinkOrganization } from '../../platform/db/gateway.ts'
import { AppError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answer.ts'
import { networkOf } from '../../platform/http/client-address.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { paperHtml } from '../../platform/paper/paper-html.ts'
import { presentActor } from '../../platform/present-actor.ts'
import { rateBuckets } from '../../platform/rate-buckets.ts'
import { foundIssue } from './issues.ts'
import { insertLink, type LinkRow, listLinks, openLink, revokeLink } from './link-store.ts'
import { type ReportParts, targetOf } from './parts.ts'
import { readable } from './service.ts'

type Names = `reports.${'links' | 'createLink' | 'revokeLink' | 'openLink'}`

const dayMs = 86_400_000
/** Links of one network that are tried; a person opens one now and then. */
const perNetwork = { burst: 30, perSecond: 1 / 4 }
/** Of all networks together. */
const inAll = { burst: 200, perSecond: 10 }

/** Links that open one issue, and nothing else, without an account. */
export function linkHandlers({ database, clock, madeBy }: ReportParts): Handlers<Names> {
  const networks = rateBuckets(clock, perNetwork)
  const everybody = rateBuckets(clock, inAll, 1)

  return {
    'reports.links': ({ caller, params: { id, issueId } }) =>
      database.readTenant(caller.organizationId, async (db) => {
        await readable(db, caller, id)
        await foundIssue(db, caller.organizationId, id, issueId)
        const rows = await listLinks(db, caller.organizationId, issueId)
        return { links: rows.map((row) => presentLink(row, clock.now())) }
      }),

    'reports.createLink': ({ caller, params: { id, issueId }, body: { expiresInDays } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId, user } = caller
        const report = await readable(db, caller, id, { isLocked: true })
        await foundIssue(db, organizationId, id, issueId)
        if ((await listLinks(db, organizationId, issueId)).length >= reportBounds.linksPerIssue) {
          throw new AppError(
            'limit_reached',
            `This issue has ${reportBounds.linksPerIssue} links. Use one of them, or share a newer issue.`,
          )
        }
        const token = newToken('bey_report')
        const linkId = uuidv7()
        const now = clock.now()
        const expiresAt = new Date(now.getTime() + expiresInDays * dayMs)
        const tokenHash = hashToken(token)
        await insertLink(db, {
          id: linkId,
          organizationId,
          issueId,
          tokenHash,
          createdBy: user.id,
          createdAt: now,
          expiresAt,
        })
        await act(db, caller, {
          action: 'report.share',
          class: 'access',
          target: targetOf(id, report.name),
          diff: { issueId, linkId, expiresAt: expiresAt.toISOString() },
        })
        const row = (await listLinks(db, organizationId, issueId)).find((each) => each.id === linkId)
        if (row === undefined) throw new Error('The link was not stored')
        return keepReply(db, { link: presentLink(row, now), token })
      }),

    'reports.revokeLink': ({ caller, params: { id, issueId, linkId } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const report = await readable(db, caller, id)
        if (!(await revokeLink(db, organizationId, issueId, linkId, clock.now()))) {
          throw new AppError('not_found', 'This link does not exist, or was revoked already.')
        }
        await act(db, caller, {
          action: 'report.share.revoke',
          class: 'access',
          target: targetOf(id, report.name),
          diff: { issueId, linkId },
        })
        return null
      }),

    'reports.openLink': async ({ caller, params: { token } }) => {
      if (!networks.take(networkOf(caller.ip)).isAllowed || !everybody.take('').isAllowed) {
        throw new AppError('rate_limited', 'Too many links were opened from here. Wait a minute.')
      }
      const tokenHash = hashToken(token)
      const organizationId = await findReportLinkOrganization(database.pool, tokenHash)
      if (organizationId === undefined) throw unknownLink()
      const paper = await database.withTenant(organizationId, async (db) => {
        const opened = await openLink(db, organizationId, tokenHash, clock.now())
        if (opened === undefined) throw unknownLink()
        await act(db, linkHolder(organizationId, opened.linkId, caller), {
          action: 'report.share.open',
          class: 'read',
          target: targetOf(opened.reportId, opened.name),
          diff: { issueId: opened.issueId, linkId: opened.linkId },
        })
        return opened.paper
      })
      return answer(Readable.from([Buffer.from(paperHtml(paper, madeBy))]), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'x-robots-tag': 'noindex, nofollow',
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        },
      })
    },
  }
}

function presentLink(row: LinkRow, now: Date): ReportLink {
  return {
    id: row.id,
    status: row.revokedAt !== null ? 'revoked' : row.expiresAt <= now ? 'expired' : 'open',
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    openedCount: row.openedCount,
    lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
  }
}

/** The same sentence whatever the reason, so that a stranger does not learn which links there were. */
function unknownLink(): AppError {
  return new AppError(
    'not_found',
    'This link opens nothing: it has expired or was revoked. Ask for another one.',
  )
}
