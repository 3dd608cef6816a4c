import type { Clock } from '../../../platform/clock.ts'
import type { StepDefinition, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { onDatabaseMove } from '../run-moves.ts'
import { backupStep } from './backup-step.ts'
import { changeSteps } from './change-steps.ts'
import type { ClusterStepParts } from './cluster-steps.ts'
import { createSteps } from './create-steps.ts'
import { clusterDrillWorkflow } from './drill-workflow.ts'

const available = () => ({ status: 'available' }) as const
const maintenance = { type: 'maintenance', cancelPermission: 'databases.operate' } as const

/** The built-in workflows of databases on clusters. `retireSecret` ends the password of a deleted one. */
export function clusterWorkflows(
  parts: ClusterStepParts,
  retireSecret: StepDefinition,
): WorkflowDefinition[] {
  const { clock } = parts
  const { create, verify } = createSteps(parts)
  const steps = changeSteps(parts)
  return [
    {
      key: 'database.cluster_create',
      name: 'Create database on a cluster',
      description:
        'Applies a Cluster of CloudNativePG with the store of its backups, waits for its instances, keeps the password of its owner, and backs it up for the first time where it has a schedule.',
      type: 'provisioning',
      cancelPermission: 'databases.create',
      steps: create,
      onMove: onDatabaseMove(clock, {
        what: 'Creation',
        while: ['pending', 'provisioning'],
        begun: 'provisioning',
        completed: available,
        failed: 'error',
      }),
    },
    {
      key: 'database.cluster_restart',
      name: 'Restart database on a cluster',
      description: 'Restarts the instances of a Cluster one by one, the primary last.',
      ...maintenance,
      steps: [steps.restart, verify],
      onMove: moves(clock, 'The restart', 'restarting'),
    },
    {
      key: 'database.cluster_change',
      name: 'Change database on a cluster',
      description:
        'Changes instances, volumes or parameters of a Cluster and waits until they are in effect.',
      ...maintenance,
      steps: [steps.change, verify],
      onMove: onDatabaseMove(clock, {
        what: 'The change',
        while: ['updating', 'scaling'],
        completed: available,
        failed: 'degraded',
      }),
    },
    {
      key: 'database.cluster_fail_over',
      name: 'Switch a database on a cluster over',
      description: 'Makes another instance of a Cluster the primary; open connections end.',
      ...maintenance,
      steps: [steps.failOver, verify],
      onMove: moves(clock, 'The switchover', 'failing_over'),
    },
    {
      key: 'database.cluster_hibernate',
      name: 'Hibernate database on a cluster',
      description: 'Removes the pods of a Cluster and keeps its volumes.',
      ...maintenance,
      steps: [steps.hibernate],
      onMove: onDatabaseMove(clock, {
        what: 'Hibernation',
        while: ['hibernating'],
        completed: () => ({ status: 'hibernated' }),
        failed: 'degraded',
      }),
    },
    {
      key: 'database.cluster_resume',
      name: 'Resume database on a cluster',
      description: 'Starts the pods of a hibernated Cluster.',
      ...maintenance,
      steps: [steps.resume, verify],
      onMove: onDatabaseMove(clock, {
        what: 'Resuming',
        while: ['resuming'],
        completed: available,
        failed: 'hibernated',
      }),
    },
    {
      key: 'database.cluster_backup',
      name: 'Back up database on a cluster',
      description: 'Asks CloudNativePG for a Backup of a Cluster and waits for its end.',
      type: 'maintenance',
      cancelPermission: 'databases.backup',
      steps: [backupStep(parts)],
    },
    clusterDrillWorkflow(parts),
    {
      key: 'database.cluster_delete',
      name: 'Delete database on a cluster',
      description: 'Deletes a Cluster with its pods and volumes, and its password.',
      type: 'maintenance',
      cancelPermission: 'databases.delete',
      steps: [steps.remove, retireSecret],
      onMove: onDatabaseMove(clock, {
        what: 'The deletion',
        while: ['deleting'],
        completed: (now) => ({ status: 'deleted', values: { deletedAt: now, figures: null } }),
        failed: 'error',
      }),
    },
  ]
}

const moves = (clock: Clock, what: string, status: 'restarting' | 'failing_over') =>
  onDatabaseMove(clock, { what, while: [status], completed: available, failed: 'degraded' })
