import { type Alert, alerts } from './alerts.ts'

/** `deploy/monitoring/wheelhouse-alerts.yml`, a rule file for Prometheus. */
export function alertRules(): string {
  return `# Made from src/monitoring/alerts.ts by \`npm run docs\`; npm run test:alerts checks it with promtool.
groups:
  - name: wheelhouse
    rules:
${alerts.map(ruleOf).join('')}`
}

function ruleOf({ name, severity, expr, for: duration, summary, meaning, action }: Alert): string {
  return `      - alert: ${name}
        expr: ${quoted(expr)}
        for: ${duration}
        labels:
          severity: ${severity}
        annotations:
          summary: ${quoted(summary)}
          description: ${quoted(meaning)}
          runbook: ${quoted(`${action} (docs/monitoring.md#${name.toLowerCase()})`)}
`
}

/** A text in single quotes, in which YAML knows no escapes but the doubled quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
