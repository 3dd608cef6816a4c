ALTER TABLE "cluster_connections" ADD COLUMN "credentials_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "cluster_connections" ADD COLUMN "imported" jsonb;--> statement-breakpoint
ALTER TABLE "cluster_connections" ADD COLUMN "server_key" text;--> statement-breakpoint
ALTER TABLE "cluster_connections" ADD COLUMN "test" jsonb;--> statement-breakpoint
ALTER TABLE "cluster_health" ADD COLUMN "overview" jsonb;--> statement-breakpoint
CREATE INDEX "cluster_connections_server_key_idx" ON "cluster_connections" USING btree ("organization_id","server_key");