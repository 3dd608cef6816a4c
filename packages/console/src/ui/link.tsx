import { createContext, useContext } from 'react'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string
  ref?: Ref<HTMLAnchorElement>
}

const LinkContext = createContext<((props: LinkProps) => ReactNode) | undefined>(undefined)

/** Gives the design system a function that draws the router's link, which it may not know. Without it links load the page. */
export const LinkProvider = LinkContext.Provider

/** A link to another screen of the console; `href` is a path with its search. */
export function Link(props: LinkProps) {
  const renderLink = useContext(LinkContext)
  if (renderLink) return renderLink(props)
  const { children, ...rest } = props
  return <a {...rest}>{children}</a>
}
