import type { EntityRef } from '@bey/contract'
import { entityHref } from '@bey/contract'
import type { ReactNode } from 'react'
import { Link } from '../ui/link.tsx'

export interface EntityLinkProps {
  entity: EntityRef
  className?: string
  onClick?: () => void
  children: ReactNode
}

/** Leads to the page of a thing; plain text where its type has none. */
export function EntityLink({ entity, className, children, ...rest }: EntityLinkProps) {
  const href = entityHref(entity)
  if (href === undefined) return <span className={className}>{children}</span>
  return (
    <Link href={href} {...(className === undefined ? {} : { className })} {...rest}>
      {children}
    </Link>
  )
}
