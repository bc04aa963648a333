import './no-eval.ts'
import { createRoot } from 'react-dom/client'
import { App } from '#app/app.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')
createRoot(root).render(<App />)
