import type { PaletteType } from '@bey/contract'
import { ClusterActions, ClusterDetails } from './clusters/cluster-preview.tsx'
import { DatabaseActions, DatabaseDetails } from './databases/database-preview.tsx'
import type { EntityPreview } from './preview.ts'
import { SecretActions, SecretDetails } from './secrets/secret-preview.tsx'
import { WorkflowActions, WorkflowDetails } from './workflows/workflow-preview.tsx'

import { NetworkActions, NetworkDetails } from './networks/network-preview.tsx'

import { AlertActions, AlertDetails } from './alerts/alert-preview.tsx'
import { BoardActions, BoardDetails } from './boards/board-preview.tsx'

/** The preview of each type that the palette lists. A type without one does not compile. */
export const entityPreviews: Readonly<Record<PaletteType, EntityPreview>> = {
  database: { Details: DatabaseDetails, Actions: DatabaseActions },
  network: { Details: NetworkDetails, Actions: NetworkActions },
  alert: { Details: AlertDetails, Actions: AlertActions },
  board: { Details: BoardDetails, Actions: BoardActions },
  cluster: { Details: ClusterDetails, Actions: ClusterActions },
  secret: { Details: SecretDetails, Actions: SecretActions },
  workflow: { Details: WorkflowDetails, Actions: WorkflowActions },
}
