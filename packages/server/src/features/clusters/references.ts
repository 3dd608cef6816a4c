import { and, asc, countDistinct, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { secrets } from '../../tables/secrets.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'

const maxListed = 20

/** What in the database refers to a cluster, and ends or stops working with it. */
export async function readReferences(db: Db, organizationId: number, clusterId: number) {
  const subject = String(clusterId)
  const [tokens, runs, used] = await Promise.all([
    db
      .select({ count: sql<number>`count(*)::int`, people: countDistinct(kubeconfigTokens.userId) })
      .from(kubeconfigTokens)
      .where(
        and(
          eq(kubeconfigTokens.organizationId, organizationId),
          eq(kubeconfigTokens.clusterId, clusterId),
          isNull(kubeconfigTokens.revokedAt),
          gt(kubeconfigTokens.expiresAt, sql`now()`),
        ),
      ),
    db
      .select({
        workflowId: workflowRuns.workflowId,
        runId: workflowRuns.id,
        name: workflows.name,
        status: workflowRuns.status,
      })
      .from(workflowRuns)
      .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
      .where(
        and(
          eq(workflowRuns.organizationId, organizationId),
          eq(workflowRuns.subjectType, 'cluster'),
          eq(workflowRuns.subjectId, subject),
          isNull(workflowRuns.finishedAt),
        ),
      )
      .orderBy(asc(workflowRuns.queuedAt))
      .limit(maxListed),
    db
      .select({ id: secrets.id, name: secrets.name })
      .from(secretUses)
      .innerJoin(secrets, eq(secrets.id, secretUses.secretId))
      .where(
        and(
          eq(secretUses.organizationId, organizationId),
          eq(secretUses.subjectType, 'cluster'),
          eq(secretUses.subjectId, subject),
        ),
      )
      .orderBy(asc(secrets.name))
      .limit(maxListed),
  ])
  return {
    kubeconfigTokens: tokens[0]?.count ?? 0,
    kubeconfigUsers: tokens[0]?.people ?? 0,
    runs,
    secrets: used,
  }
}
