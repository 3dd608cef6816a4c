ALTER TABLE "workflow_versions" ALTER COLUMN "definition" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "workflows" ALTER COLUMN "definition" SET DATA TYPE json;