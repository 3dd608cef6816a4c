ALTER TABLE "databases" DROP CONSTRAINT "databases_provider_is_known";--> statement-breakpoint
ALTER TABLE "databases" ADD COLUMN "cluster_id" integer;--> statement-breakpoint
ALTER TABLE "databases" ADD COLUMN "cnpg" jsonb;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "databases_cnpg_key" ON "databases" USING btree ("organization_id","cluster_id",("cnpg" ->> 'namespace'),("cnpg" ->> 'name')) WHERE "databases"."deleted_at" is null and "databases"."cnpg" is not null;--> statement-breakpoint
CREATE INDEX "databases_cluster_id_idx" ON "databases" USING btree ("cluster_id");--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_provider_is_known" CHECK ("databases"."provider" in ('embedded', 'external', 'cnpg'));