// Embree: how many triangles an oblique ray from each point crosses, in robust mode. Call: embree IN OUT.
#include "common.h"
#include <embree3/rtcore.h>

struct Count {
	RTCIntersectContext context; // first, so that Embree's pointer points to the whole struct
	unsigned crossings;
};

// count counts a crossing and rejects it, so that the ray continues.
static void count(const RTCFilterFunctionNArguments *args) {
	reinterpret_cast<Count *>(args->context)->crossings++;
	args->valid[0] = 0;
}

int main(int, char **argv) {
	Points in(argv[1]);
	FILE *out = openOrExit(argv[2], "wb");
	printf("version Embree %s\n", RTC_VERSION_STRING);
	std::vector<uint8_t> inside(in.n);
	for (uint64_t r = 0; r < in.rounds; r++) {
		double at = seconds();
		RTCDevice device = rtcNewDevice("threads=1");
		RTCScene scene = rtcNewScene(device);
		rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
		RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
		float *vert = static_cast<float *>(
			rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), in.verts));
		for (uint64_t i = 0; i < 3 * in.verts; i++)
			vert[i] = float(in.vert[i]);
		uint32_t *triangle = static_cast<uint32_t *>(
			rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), in.triangles));
		for (uint64_t i = 0; i < 3 * in.triangles; i++)
			triangle[i] = in.triangle[i];
		rtcSetGeometryOccludedFilterFunction(mesh, count);
		rtcCommitGeometry(mesh);
		rtcAttachGeometry(scene, mesh);
		rtcCommitScene(scene);
		printf("setup %.9g\n", seconds() - at);
		at = seconds();
		for (uint64_t i = 0; i < in.n; i++) {
			Count c;
			rtcInitIntersectContext(&c.context);
			c.crossings = 0;
			RTCRay ray;
			ray.org_x = float(in.at[3 * i]), ray.org_y = float(in.at[3 * i + 1]), ray.org_z = float(in.at[3 * i + 2]);
			ray.dir_x = 0.5417f, ray.dir_y = 0.6203f, ray.dir_z = 0.5672f; // Oblique to the axes that meshes are aligned with.
			ray.tnear = 0, ray.tfar = __builtin_inff(), ray.time = 0, ray.mask = ~0u, ray.id = 0, ray.flags = 0;
			rtcOccluded1(scene, &c.context, &ray);
			inside[i] = c.crossings & 1;
		}
		printf("query %.9g\n", seconds() - at);
		rtcReleaseGeometry(mesh);
		rtcReleaseScene(scene);
		rtcReleaseDevice(device);
	}
	write(out, inside);
	closeOrExit(out);
}
