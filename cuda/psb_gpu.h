/* psb_gpu.h -- cuda: the psb_gpu_* names of the older guide, each the psb_cuda_* call of the same
 * name. Part of psb_cuda.h, which describes the calls. */
#ifndef PSB_GPU_NAMES_H
#define PSB_GPU_NAMES_H
#define psb_gpu_init                 psb_cuda_init
#define psb_gpu_init_device          psb_cuda_init_device
#define psb_gpu_exit                 psb_cuda_exit
#define psb_gpu_device               psb_cuda_device
#define psb_gpu_getDeviceCount       psb_cuda_getDeviceCount
#define psb_gpu_getDevice            psb_cuda_getDevice
#define psb_gpu_setDevice            psb_cuda_setDevice
#define psb_gpu_DeviceHasUVA         psb_cuda_DeviceHasUVA
#define psb_gpu_WarpSize             psb_cuda_WarpSize
#define psb_gpu_MultiProcessors      psb_cuda_MultiProcessors
#define psb_gpu_MaxThreadsPerMP      psb_cuda_MaxThreadsPerMP
#define psb_gpu_MaxRegistersPerBlock psb_cuda_MaxRegistersPerBlock
#define psb_gpu_MemoryClockRate      psb_cuda_MemoryClockRate
#define psb_gpu_MemoryBusWidth       psb_cuda_MemoryBusWidth
#define psb_gpu_MemoryPeakBandwidth  psb_cuda_MemoryPeakBandwidth
#define psb_gpu_DeviceName           psb_cuda_DeviceName
#define psb_gpu_DeviceSync           psb_cuda_DeviceSync
#define psb_gpu_copy_time            psb_cuda_copy_time
#define psb_gpu_stream               psb_cuda_stream
#define psb_gpu_set_stream           psb_cuda_set_stream
#define psb_gpu_fake_limit           psb_cuda_fake_limit
#endif
