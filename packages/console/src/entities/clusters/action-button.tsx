import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { ButtonProps } from '../../ui/button.tsx'
import type { ClusterAction } from './use-cluster-actions.ts'

export interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'icon'> {
  action: ClusterAction
  children: ReactNode
}

/** Does something with a cluster, shows that it is under way, or says why it cannot be done. */
export function ActionButton({ action, ...rest }: ActionButtonProps) {
  return (
    <Button {...rest} onClick={action.run} busy={action.isRunning} disabledReason={action.disabledReason} />
  )
}
