ALTER TABLE "workflow_runs" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "workflow_triggers" ADD COLUMN "key_id" uuid;--> statement-breakpoint
-- What changed objects could delete them as well until now.
UPDATE "api_keys" SET "permissions" = array_append("permissions", 'kubernetes.delete')
WHERE 'kubernetes.write' = ANY("permissions") AND NOT 'kubernetes.delete' = ANY("permissions");
