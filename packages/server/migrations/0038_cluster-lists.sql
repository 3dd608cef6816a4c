CREATE TABLE "cluster_lists" (
	"organization_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"key" text NOT NULL,
	"as_of" timestamp (3) with time zone NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "cluster_lists_organization_id_cluster_id_key_pk" PRIMARY KEY("organization_id","cluster_id","key")
);
--> statement-breakpoint
ALTER TABLE "cluster_lists" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cluster_lists" ADD CONSTRAINT "cluster_lists_cluster_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "tenant" ON "cluster_lists" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "cluster_lists" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);