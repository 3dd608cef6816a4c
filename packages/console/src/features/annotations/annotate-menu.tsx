import { deniedReason, serviceCatalog } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { setAnnotationMode } from '../../data/annotation-mode.ts'

const launched = serviceCatalog.flatMap((category) => category.services).filter((each) => each.isLaunched)
const pages = [
  { label: 'Dashboard', path: '/' },
  ...new Map(
    launched.flatMap((service) => service.routes ?? []).map((route) => [route.path, route] as const),
  ).values(),
]

/** Goes to a page and begins to annotate it, for the page on screen feels no click while it is annotated. */
export function AnnotateMenu() {
  const navigate = useNavigate()
  const reason = deniedReason(useRole(), 'annotations.create')
  const button = (
    <Button variant="primary" icon={<SquarePen size={14} aria-hidden />} disabledReason={reason}>
      Annotate a page
    </Button>
  )
  if (reason) return button
  const annotate = async (path?: string) => {
    if (path !== undefined) await navigate({ href: path })
    setAnnotationMode(true)
  }
  return (
    <Menu trigger={button}>
      <MenuLabel>Which page?</MenuLabel>
      <MenuItem onSelect={() => void annotate()}>This page</MenuItem>
      {pages.map(({ label, path }) => (
        <MenuItem key={path} onSelect={() => void annotate(path)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
