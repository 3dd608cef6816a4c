CREATE TABLE "instance_samples" (
	"name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "instance_samples_name_at_pk" PRIMARY KEY("name","at")
);
--> statement-breakpoint
ALTER TABLE "instance_samples" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY "system" ON "instance_samples" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);