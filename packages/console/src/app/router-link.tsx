import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { LinkProps } from '../ui/link.tsx'

// Pages of the server, outside of the router.
const isServerPath = (href: string) => href.startsWith('/api/') || href === '/health'

/** Draws the design system's links, whose address is plain text, through the router. */
export function renderRouterLink(props: LinkProps) {
  return <RouterLink {...props} />
}

function RouterLink({ href, onClick, children, ...rest }: LinkProps) {
  const router = useRouter()
  const isOwn = href.startsWith('/') && !isServerPath(href)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const wantsNewPlace =
      event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0
    if (!isOwn || event.defaultPrevented || wantsNewPlace || rest.target) return
    event.preventDefault()
    void router.navigate({ href })
  }
  const preload = () => {
    // A page that fails to load early is loaded, and its failure shown, when it is opened.
    if (isOwn) void router.preloadRoute({ to: href.split(/[?#]/)[0] }).catch(() => undefined)
  }
  return (
    <a {...rest} href={href} onClick={follow} onPointerEnter={preload} onFocus={preload}>
      {children}
    </a>
  )
}
