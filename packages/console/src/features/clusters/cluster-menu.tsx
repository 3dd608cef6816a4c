import type { Cluster } from '@bey/contract'
import { Download, Ellipsis, Eye, PanelRight, Plus, RotateCw, Trash, Unplug } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { clusterHref, isImported } from '../../entities/clusters/cluster-text.ts'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'

export interface ClusterMenuProps {
  cluster: Cluster
  /** Opens the panel; absent where the cluster's own page is open. */
  onQuickView?: () => void
  onDelete: () => void
}

/** Everything that can be done with one cluster, each with the reason where it cannot. */
export function ClusterMenu({ cluster, onQuickView, onDelete }: ClusterMenuProps) {
  const { kubeconfig, provision, deleteReason } = useClusterActions(cluster)
  const icon = { size: 14, 'aria-hidden': true } as const
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${cluster.title}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      {onQuickView ? (
        <>
          <MenuItem icon={<PanelRight {...icon} />} onSelect={onQuickView}>
            Quick view
          </MenuItem>
          <MenuItem icon={<Eye {...icon} />} href={clusterHref(cluster.id)}>
            View details
          </MenuItem>
        </>
      ) : null}
      {cluster.status === 'RUNNING' ? (
        <MenuItem icon={<Plus {...icon} />} href={clusterHref(cluster.id, 'create')}>
          Create objects
        </MenuItem>
      ) : null}
      <MenuItem
        icon={<Download {...icon} />}
        onSelect={kubeconfig.run}
        disabledReason={kubeconfig.disabledReason}
      >
        Download kubeconfig
      </MenuItem>
      <MenuItem
        icon={<RotateCw {...icon} />}
        onSelect={provision.run}
        disabledReason={provision.disabledReason}
      >
        {isImported(cluster) ? 'Import again' : 'Provision again'}
      </MenuItem>
      {onQuickView ? null : (
        <>
          <MenuSeparator />
          {partsInMenu(cluster).map((part) => (
            <MenuItem key={part} href={clusterHref(cluster.id, part)}>
              {part.charAt(0).toUpperCase()}
              {part.slice(1)}
            </MenuItem>
          ))}
        </>
      )}
      <MenuSeparator />
      <MenuItem
        icon={isImported(cluster) ? <Unplug {...icon} /> : <Trash {...icon} />}
        isDanger
        onSelect={onDelete}
        disabledReason={deleteReason}
      >
        {isImported(cluster) ? 'Disconnect' : 'Delete'}
      </MenuItem>
    </Menu>
  )
}

/** Parts of the page that stand under Settings; only a sandbox can be broken on purpose. */
function partsInMenu({ provider }: Cluster): string[] {
  const parts = ['access', 'connection', 'runs', 'activity']
  return provider === 'sandbox' ? [...parts, 'faults'] : parts
}
