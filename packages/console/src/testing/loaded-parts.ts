import { loadDialogs } from '../ui/dialog.tsx'
import { loadMenus } from '../ui/menu.tsx'

await Promise.all([loadDialogs(), loadMenus()])
